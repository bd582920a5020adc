import Backend
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// What administrators decide about crash groups and releases.
extension AdminCrashRoutes {
    private static let maximumBulk = 500
    /// 500 releases of 96 bytes, with room for escapes.
    private static let maximumReleaseBytes = 131_072

    func decisionBindings() -> [RouteBinding] {
        [
            gate.binding(.resolveCrashGroup) { request, actor in try apply(.resolve, request, actor) },
            gate.binding(.ignoreCrashGroup) { request, actor in try apply(.ignore, request, actor) },
            gate.binding(.reopenCrashGroup) { request, actor in try apply(.reopen, request, actor) },
            gate.binding(.deleteCrashGroup) { request, actor in try apply(.delete, request, actor) },
            gate.binding(.decideCrashGroups) { request, actor in try applyToMany(request, actor) },
            gate.binding(.decideCrashReleases, maximumBodyBytes: Self.maximumReleaseBytes) { request, actor in
                try applyToReleases(request, actor)
            },
        ]
    }

    private func apply(_ action: CrashAction, _ request: Request, _ actor: Actor) throws -> Response {
        let id = try request.parameters.uuid()
        let revision = try matchedRevision(request)
        guard let group = try store.apply(action, to: id, ifRevision: revision, by: actor) else {
            return Response(status: .noContent)
        }
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        Self.write(group, to: &writer)
        writer.endObject()
        return Self.document(writer.bytes, tag: EntityTag(revision: group.revision, content: writer.bytes))
            .plainResponse
    }

    /// The revision that `If-Match` and `If-None-Match` agree to, or `nil` without such a field; compared again inside the
    /// transaction. Throws 404 or 412.
    private func matchedRevision(_ request: Request) throws -> Int64? {
        guard request.head.contains(.ifMatch) || request.head.contains(.ifNoneMatch) else { return nil }
        guard let (group, _) = try store.find(try request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such crash group.")
        }
        guard EntityTag.revisionMatches(group.revision, in: request.head),
            !EntityTag(revision: group.revision).matchesNone(of: request.head)
        else { throw BackendError.preconditionFailed(currentRevision: group.revision) }
        return group.revision
    }

    private func applyToMany(_ request: Request, _ actor: Actor) throws -> Response {
        var body = try BodyReader(request, known: ["ids", "action"])
        let ids = body.ids("ids", count: 1...Self.maximumBulk)
        let action = body.action(of: CrashAction.allCases)
        try body.requireValid()
        try gate.limits.take(.decisions, count: ids.count, for: request)
        guard let action else { return Response(status: .noContent) }
        return Self.results(
            try store.apply(action, to: ids, by: actor).map { ($0.id.lowercased, $0.outcome) }, of: "id")
    }

    private func applyToReleases(_ request: Request, _ actor: Actor) throws -> Response {
        var body = try BodyReader(
            request, maximumBytes: Self.maximumReleaseBytes, known: ["releases", "action"])
        let names = body.releases("releases", count: 1...Self.maximumBulk)
        _ = body.action(of: [CrashAction.delete])
        try body.requireValid()
        try gate.limits.take(.decisions, count: names.count, for: request)
        return Self.results(try store.deleteReleases(names, by: actor).map { ($0.name, $0.outcome) }, of: "release")
    }

    private static func results(_ outcomes: [(String, CrashOutcome)], of name: String) -> Response {
        var writer = JSONWriter(capacity: 64 + outcomes.count * 80)
        writer.beginObject()
        writer.key("results")
        writer.beginArray()
        for (subject, outcome) in outcomes {
            writer.beginObject()
            writer.field(name, subject)
            writer.field("result", outcome.rawValue)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return Response(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .bytes(writer.bytes))
    }
}

extension BodyReader {
    /// The member `action`; nil, and noted, when it is none of these.
    fileprivate mutating func action(of actions: [CrashAction]) -> CrashAction? {
        guard let text = string("action") else { return nil }
        if let action = actions.first(where: { $0.rawValue == text }) { return action }
        let names = actions.map(\.rawValue).joined(separator: ", ")
        note(.root.member("action"), .unknownValue, "Must be one of \(names).")
        return nil
    }

    /// Different names of releases; noted when they are too few, too many, no releases or not different.
    fileprivate mutating func releases(_ name: String, count: ClosedRange<Int>) -> [String] {
        let pointer = JSONPointer.root.member(name)
        guard let elements = object[name]?.arrayValue, count.contains(elements.count) else {
            note(pointer, .outOfRange, "Must be an array of \(count.lowerBound) to \(count.upperBound) releases.")
            return []
        }
        var names: [String] = []
        var seen: Set<String> = []
        for (index, element) in elements.enumerated() {
            guard let text = element.stringValue else {
                note(pointer.element(index), .invalidType, "Must be a string.")
                continue
            }
            guard (1...96).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                note(pointer.element(index), .invalidFormat, "Must have 1 to 96 printable ASCII characters.")
                continue
            }
            if seen.insert(text).inserted {
                names.append(text)
            } else {
                note(pointer.element(index), .duplicate, "Must stand in the list once.")
            }
        }
        return names
    }
}
