import Backend
import EventLog
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Routes of thresholds, channels and the delivery log, and of test and repeated messages.
struct AlertRoutes: Sendable {
    let gate: AdminGate
    let dispatcher: AlertDispatcher
    /// Settled before thresholds are read or replaced, so that user counts include all stored events.
    let log: EventLog

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.alerts) { request, _ in
                let page = try AlertPage(query: request)
                try log.settleForReaders()
                let overview = try store.overview(after: page.cursor, limit: page.limit)
                let next = overview.next.map { PageCursor(ids: [$0]).encoded(for: .alerts) }
                return try overview.document(revision: overview.list.revision, next: next, of: request)
                    .response(for: request)
            },
            gate.binding(.alertThresholds) { request, _ in
                try log.settleForReaders()
                return try document(try store.thresholds()).response(for: request)
            },
            gate.binding(.replaceAlertThresholds) { request, actor in
                let change = try AlertThresholdChange(body: request)
                try log.settleForReaders()
                let list = try store.replaceThresholds(
                    with: change.thresholds,
                    ifRevision: try EntityTag.matchedRevision(of: request) { try store.thresholds().revision },
                    by: actor)
                dispatcher.wake()
                return document(list).wholeResponse(for: request)
            },
            gate.binding(.testAlerts) { request, actor in
                // Without a body, all configured channels are tested.
                let channel = request.body.isEmpty ? nil : try AlertTest(body: request).channel
                return queued(try store.sendTest(through: channel, by: actor))
            },
            gate.binding(.resendAlert) { request, actor in
                queued([try store.resend(try request.parameters.uuid(), by: actor)])
            },
        ]
    }

    private var store: AlertStore { dispatcher.store }

    private func queued(_ deliveries: [AlertDelivery]) -> Response {
        dispatcher.wake()
        return AlertDeliveries(deliveries: deliveries).response(.accepted)
    }

    /// The tag covers revision and content, because a fired threshold changes only the content.
    private func document(_ list: AlertThresholdList) -> RenderedDocument { list.document(revision: list.revision) }
}
