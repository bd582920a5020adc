import DeviceWords
import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// What to cancel: each subscription with what that would save in 12 months, the dearest first, with last days, trials
/// and what may be paid twice. Those that are ticked are added up.
struct WhatToCancelPage {
    static let link = HTMLLink("what-to-cancel")
    private static let chosenName = "id"
    private static let mostShown = 100

    private struct Row: Sendable {
        let summary: SubscriptionSummary
        let saves: [Money]
        let cancelBy: CancelBy?
        let overlap: Overlap.Kind?
    }

    private let visit: AppVisit
    /// The dearest, at most ``mostShown``.
    private let rows: [Row]
    private let count: Int
    private let chosen: Set<UUID>
    /// Of those that are ticked; nil without any.
    private let effect: CancellationEffect?

    static func routes(_ gate: AppGate) -> [Route] {
        [gate.page("/what-to-cancel") { try WhatToCancelPage($0).page() }]
    }

    init(_ visit: AppVisit) throws {
        self.visit = visit
        let (store, moment) = (visit.store, visit.moment)
        let rows = try visit.answer("what to cancel") {
            var kinds: [UUID: Overlap.Kind] = [:]
            for overlap in try store.totals.overlaps(at: moment) {
                for id in overlap.subscriptionIDs { kinds[id] = kinds[id] ?? overlap.kind }
            }
            let running = try store.subscriptions.list(by: .yearly, at: moment)
                .filter { !$0.status.isOver && !$0.isOnHold && $0.cancelsOn == nil && !$0.isBundled }
            let days = try store.totals.cancelBy(
                of: running.map(\.id), through: moment.today.adding(days: 366), at: moment)
            let rows = try running.map { summary in
                Row(
                    summary: summary, saves: try store.totals.effect(ofCancelling: [summary.id], at: moment).saves,
                    cancelBy: days[summary.id], overlap: kinds[summary.id])
            }
            let currencies = Set(rows.flatMap { $0.saves.map(\.currency) })
            let order = AmountOrder(try store.rates.weights(of: currencies, at: moment))
            return rows.sorted { Self.isBefore($0, $1, order) }
        }
        count = rows.count
        let shown = Array(rows.prefix(Self.mostShown))
        self.rows = shown
        let known = Set(shown.map(\.summary.id))
        chosen = Set(visit.query.filter { $0.name == Self.chosenName }.compactMap { UUID(uuidString: $0.value) })
            .intersection(known)
        effect = chosen.isEmpty ? nil : try store.totals.effect(ofCancelling: Array(chosen), at: moment)
    }

    /// The larger saving first; of equal ones, the earlier last day.
    private static func isBefore(_ one: Row, _ other: Row, _ order: AmountOrder) -> Bool {
        guard let left = one.saves.first, let right = other.saves.first else {
            return one.saves.count > other.saves.count
        }
        if let isBefore = order.isBefore(left, right) { return isBefore }
        return (one.cancelBy?.lastDay ?? .latest, one.summary.name)
            < (other.cancelBy?.lastDay ?? .latest, other.summary.name)
    }

    func page() -> [UInt8] {
        visit.page(.subscriptions, title: visit.text("What to cancel")) { html in
            html.crumb(HTMLLink(), visit.text("Subscriptions"))
            html.top(visit.text("What to cancel")) { html in
                html.paragraph(
                    visit.text("Tick some to see what cancelling them would save. Nothing is cancelled here."))
            }
            if rows.isEmpty {
                return html.hint(visit.text("Nothing is charged."), "empty")
            }
            if let effect { write(effect, to: &html) }
            html.add(.form, .action(Self.link), .class("stack")) { html in
                html.add(.ul, .class("subscriptions")) { html in for row in rows { write(row, to: &html) } }
                visit.writeMore(count - rows.count, to: &html)
                html.add(.p, .class("actions")) { $0.submit(visit.text("Add up the selection"), "primary") }
            }
        }
    }

    private func write(_ effect: CancellationEffect, to html: inout HTMLWriter) {
        html.add(.section, .class("panel facts"), .role("status")) { html in
            html.paragraph(visit.text("\(chosen.count) ticked|\(chosen.count) ticked"))
            html.add(.dl) { html in visit.facts(of: effect, to: &html) }
        }
    }

    private func write(_ row: Row, to html: inout HTMLWriter) {
        let summary = row.summary
        html.proposal(
            "w-\(summary.id.lowercased)", Self.chosenName, value: summary.id.lowercased,
            isOn: chosen.contains(summary.id)
        ) { html in
            html.add(.b, text: summary.name)
            html.add(.span, .class("badges")) { html in
                visit.writeBadges(of: summary.status, isTwice: row.overlap != nil, row.cancelBy, to: &html)
            }
        } price: { html in
            html.add(.span, .class("price")) { html in
                html.add(.b, .class("amount"), text: row.saves.isEmpty ? "–" : visit.money(row.saves))
                html.add(
                    .a, .href(SubscriptionAction.cancel.link(summary.id)),
                    .aria("label", "\(visit.name(.cancel)) \(summary.name)"), text: visit.text("Cancel…"))
            }
        }
    }
}
