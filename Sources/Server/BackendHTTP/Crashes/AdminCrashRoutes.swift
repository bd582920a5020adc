import Backend
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// What crashes, how often, and in which releases.
struct AdminCrashRoutes: Sendable {
    let gate: AdminGate
    let store: CrashStore
    let now: @Sendable () -> UTCInstant

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.crashGroups) { request, _ in try list(request) },
            gate.binding(.crashReleases) { request, _ in try releases(request) },
            gate.binding(.crashGroup) { request, _ in try group(request) },
        ] + decisionBindings()
    }

    private func list(_ request: Request) throws -> Response {
        var query = try QueryReader(request, known: ["limit", "cursor", "format", "status", "sort", "q"])
        let limit = query.integer("limit", in: 1...500, default: 50)
        let statuses = CrashStatus.allCases.map(\.rawValue)
        let status = query.choice("status", of: statuses + ["all"], default: "all")
        let sorts = CrashListQuery.Sort.allCases.map(\.rawValue)
        let sort = query.choice("sort", of: sorts, default: CrashListQuery.Sort.lastSeen.rawValue)
        let wanted = CrashListQuery(
            status: CrashStatus(rawValue: status), search: query.text("q"),
            sort: CrashListQuery.Sort(rawValue: sort) ?? .lastSeen)
        let cursor = query.cursor(of: wanted.list)
        let format = FigureFormat(rawValue: query.choice("format", of: ["json", "csv"], default: "json")) ?? .json
        try query.requireValid()
        let page = try store.list(wanted, after: cursor, limit: limit)
        let next = page.next?.encoded(for: wanted.list)
        if format == .csv {
            return try Self.document(
                CrashStore.csv(page.groups), "text/csv; charset=utf-8", more: PageLink.fields(request, next: next)
            ).response(for: request)
        }
        var writer = JSONWriter(capacity: 64 + page.groups.count * 400)
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for group in page.groups {
            writer.beginObject()
            Self.write(group, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.field("next_cursor", next)
        writer.endObject()
        return try Self.document(writer.bytes, more: PageLink.fields(request, next: next)).response(for: request)
    }

    private func group(_ request: Request) throws -> Response {
        guard let (group, samples) = try store.find(try request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such crash group.")
        }
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        Self.write(group, to: &writer)
        writer.key("samples")
        writer.beginArray()
        for sample in samples {
            writer.beginObject()
            writer.field("occurred_at", sample.occurredAt.rfc3339)
            writer.key("report")
            writer.raw(sample.body.utf8)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return try Self.document(writer.bytes, tag: EntityTag(revision: group.revision, content: writer.bytes))
            .response(for: request)
    }

    private func releases(_ request: Request) throws -> Response {
        let query = try QueryReader(request, known: [])
        try query.requireValid()
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.field("definition", Self.definition)
        writer.field("zone", "UTC")
        writer.key("items")
        writer.beginArray()
        for health in try store.releaseHealth(at: now()) {
            writer.beginObject()
            writer.field("release", health.release)
            writer.field("sessions", health.tally.sessions)
            writer.field("crashed", health.tally.crashed)
            writer.field("abnormal", health.tally.abnormal)
            writer.field("errored", health.tally.errored)
            writer.field("reports", health.reports)
            writer.field("crash_free_sessions", health.crashFree.map { .number($0.text) } ?? .null)
            writer.endObject()
        }
        writer.endArray()
        writer.field("next_cursor", String?.none)
        writer.endObject()
        return try Self.document(writer.bytes).response(for: request)
    }

    private static let definition =
        "Sessions that started in the last 720 hours, the present hour among them; crash_free_sessions is those that did "
        + "not crash in percent of all. reports counts crash reports of all groups."

    static func document(
        _ body: [UInt8], _ type: String = "application/json", tag: EntityTag? = nil, more: [(String, String)] = []
    ) -> RenderedDocument {
        RenderedDocument(body: body, contentType: type, tag: tag, more: more)
    }

    static func write(_ group: CrashGroup, to writer: inout JSONWriter) {
        writer.field("id", group.id.lowercased)
        writer.field("title", group.title)
        writer.field("culprit", group.culprit)
        writer.field("platform", group.platform)
        writer.field("level", group.level)
        writer.field("status", group.status.rawValue)
        writer.field("count", group.count)
        writer.field("first_seen_at", group.firstSeenAt.rfc3339)
        writer.field("last_seen_at", group.lastSeenAt.rfc3339)
        writer.field("decided_at", group.decidedAt?.rfc3339)
        writer.field("regressed_at", group.regressedAt?.rfc3339)
        writer.key("versions")
        writer.beginArray()
        for release in group.releases {
            writer.beginObject()
            writer.field("release", release.name)
            writer.field("count", release.count)
            writer.field("last_seen_at", release.lastSeenAt.rfc3339)
            writer.endObject()
        }
        writer.endArray()
    }
}
