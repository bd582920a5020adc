import Backend
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import SubGuardContract
import SubGuardDomain

/// Thresholds, channels and the delivery log, and the calls that send something.
struct AlertRoutes: Sendable {
    let gate: AdminGate
    let dispatcher: AlertDispatcher
    /// Its users are counted before a threshold is spoken of.
    let log: EventLog

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.alerts) { request, _ in try overview(request) },
            gate.binding(.alertThresholds) { request, _ in
                try log.settleForReaders()
                return try Self.document(try store.thresholds()).response(for: request)
            },
            gate.binding(.replaceAlertThresholds) { request, actor in try replaceThresholds(request, actor) },
            gate.binding(.testAlerts) { request, actor in try test(request, actor) },
            gate.binding(.resendAlert) { request, actor in
                let delivery = try store.resend(try request.parameters.uuid(), by: actor)
                return accepted([delivery])
            },
        ]
    }

    private var store: AlertStore { dispatcher.store }

    private func overview(_ request: Request) throws -> Response {
        var query = try QueryReader(request, known: ["limit", "cursor"])
        let limit = query.integer("limit", in: 1...500, default: 50)
        let list = PageCursor.List("alerts", ids: 1)
        let cursor = query.cursor(of: list)?.ids.first
        try query.requireValid()
        try log.settleForReaders()
        let overview = try store.overview(after: cursor, limit: limit)
        var writer = JSONWriter(capacity: 1024 + overview.deliveries.count * 400)
        writer.beginObject()
        AlertView.writeThresholds(overview.list, to: &writer)
        AlertView.writeChannels(overview.channels, to: &writer)
        AlertView.writeDeliveries(overview.deliveries, as: "items", to: &writer)
        let next = overview.next.map { PageCursor(ids: [$0]).encoded(for: list) }
        writer.field("next_cursor", next)
        writer.endObject()
        return try RenderedDocument(
            body: writer.bytes, contentType: "application/json",
            tag: EntityTag(revision: overview.list.revision, content: writer.bytes),
            more: PageLink.fields(request, next: next)
        ).response(for: request)
    }

    private func replaceThresholds(_ request: Request, _ actor: Actor) throws -> Response {
        let users = try Self.thresholds(in: request)
        try log.settleForReaders()
        let list = try store.replaceThresholds(with: users, ifRevision: try matchedRevision(request), by: actor)
        dispatcher.wake()
        return Self.document(list).wholeResponse(for: request)
    }

    /// The revision that `If-Match` and `If-None-Match` agree to, or `nil` without such a field; compared again inside the
    /// transaction. Throws 412.
    private func matchedRevision(_ request: Request) throws -> Int64? {
        guard request.head.contains(.ifMatch) || request.head.contains(.ifNoneMatch) else { return nil }
        let revision = try store.thresholds().revision
        guard EntityTag.revisionMatches(revision, in: request.head),
            !EntityTag(revision: revision).matchesNone(of: request.head)
        else { throw BackendError.preconditionFailed(currentRevision: revision) }
        return revision
    }

    private static func thresholds(in request: Request) throws -> [Int64] {
        var body = try BodyReader(request, known: ["thresholds"])
        var users: [Int64] = []
        for (index, element) in (body.array("thresholds", of: "numbers of users") ?? []).enumerated() {
            if let number = element.integerValue {
                users.append(number)
            } else {
                body.note(
                    .root.member("thresholds").element(index), "invalid_type", "Must be a whole number.")
            }
        }
        try body.requireValid()
        return users
    }

    private func test(_ request: Request, _ actor: Actor) throws -> Response {
        var channel: AlertChannel?
        // The body may be left out: then every configured channel is tried.
        if !request.body.isEmpty {
            var body = try BodyReader(request, known: ["channel"])
            if let name = body.optionalString("channel") {
                channel = AlertChannel(rawValue: name)
                let names = AlertChannel.allCases.map(\.rawValue).joined(separator: ", ")
                if channel == nil {
                    body.note(.root.member("channel"), "unknown_channel", "Must be one of \(names).")
                }
            }
            try body.requireValid()
        }
        return accepted(try store.sendTest(through: channel, by: actor))
    }

    private func accepted(_ deliveries: [AlertDelivery]) -> Response {
        dispatcher.wake()
        var writer = JSONWriter(capacity: 128 + deliveries.count * 400)
        writer.beginObject()
        AlertView.writeDeliveries(deliveries, as: "deliveries", to: &writer)
        writer.endObject()
        return Response(
            status: .accepted, fields: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .bytes(writer.bytes))
    }

    private static func document(_ list: AlertThresholdList) -> RenderedDocument {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        AlertView.writeThresholds(list, to: &writer)
        writer.endObject()
        // A firing changes what is shown and not the list, so the tag is of both.
        return RenderedDocument(
            body: writer.bytes, contentType: "application/json",
            tag: EntityTag(revision: list.revision, content: writer.bytes))
    }
}
