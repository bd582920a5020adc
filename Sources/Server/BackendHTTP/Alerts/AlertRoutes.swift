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
                return try Self.document(try store.thresholds()).response(for: request)
            },
            gate.binding(.replaceAlertThresholds, .document(Self.document), replaceThresholds),
            gate.binding(.testAlerts, Self.deliveries, test),
            gate.binding(.resendAlert, Self.deliveries, resend),
        ]
    }

    func replaceThresholds(_ change: AlertThresholdChange, _ call: AdminCall) throws -> AlertThresholdList {
        try log.settleForReaders()
        let list = try store.replaceThresholds(
            with: change.thresholds, ifRevision: try call.revision { try store.thresholds().revision }, by: call.actor)
        dispatcher.wake()
        return list
    }

    /// Sends a test message through a channel, or through all that are configured.
    func test(_ test: AlertTest, _ call: AdminCall) throws -> [AlertDelivery] {
        queued(try store.sendTest(through: test.channel, by: call.actor))
    }

    func resend(_ call: AdminCall) throws -> [AlertDelivery] {
        queued([try store.resend(try call.id(), by: call.actor)])
    }

    private var store: AlertStore { dispatcher.store }

    private func queued(_ deliveries: [AlertDelivery]) -> [AlertDelivery] {
        dispatcher.wake()
        return deliveries
    }

    private static let deliveries = AnswerForm<[AlertDelivery]>.object(.accepted) { AlertDeliveries(deliveries: $0) }

    /// The tag covers revision and content, because a fired threshold changes only the content.
    private static func document(_ list: AlertThresholdList) -> RenderedDocument {
        list.document(revision: list.revision)
    }
}
