import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ListCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List subscriptions.",
        discussion: "`show` says more about one. With --json, each has its id.")

    @Option(help: "Only pro or only personal subscriptions.") var scope: String?
    @Option(help: "Only subscriptions in this category.") var category: String?
    @Option(help: "Only names that contain this text; case and accents are ignored.") var search: String?
    @Option(help: "Only subscriptions with this status.") var status: SubscriptionStatus?
    @Option(
        parsing: .unconditional, help: "Only subscriptions that are charged within this many days, 0 for today.")
    var renewing: Int?
    @Option(help: "Order: name, next charge, amount or cost per year, the highest first.")
    var sort = SubscriptionOrder.name
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try require((0...3660).contains(renewing ?? 0), "--renewing must be from 0 to 3660 days")
    }

    func run(_ session: Session) throws {
        let scope = try scope.map { text throws(Fault) in try SubscriptionScope.read(text) }
        let target = try category.map { text throws(Fault) in try Budget.Target(scope: nil, category: text) }
        let filter = SubscriptionFilter(
            scope: scope ?? target?.scope, category: target?.category, status: status, search: search,
            renewsThrough: renewing.map { session.moment.today.adding(days: $0) })
        let list = try session.store.subscriptions.list(filter, by: sort, at: session.moment)
        let text = session.text
        session.print(
            list, json: { $1.fields($0) },
            columns: [
                (text("name"), .left), (text("amount"), .right), (text("cycle"), .left),
                (text("next"), .left), (text("category"), .left), (text("status"), .left),
                (text("per year"), .right),
            ], width: 80, flexible: [0, 4, 2], optional: [4, 6],
            empty: filter == SubscriptionFilter()
                ? text("No subscriptions yet. Add one: subguard add \"Netflix 13.49 €/month\"")
                : text("No matching subscriptions.")
        ) { summary in
            // What another one pays for costs nothing by itself, and neither does what is paused until it is resumed.
            let isCharged = !summary.isBundled && !summary.isOnHold
            let next = isCharged ? summary.nextBillingOn : nil
            return [
                .init(summary.name), .init(session.price(summary)),
                .init(summary.cycle.shortName(session.language)), .init(session.day(next)),
                .init(summary.category.displayName(session.language)),
                .init(session.shortStatus(summary), summary.status.colour),
                .init(isCharged ? session.money(summary.annualAmount) : "–"),
            ]
        }
    }
}

extension Session {
    /// The status, or the last day of one whose cancellation is planned.
    fileprivate func shortStatus(_ summary: SubscriptionSummary) -> String {
        guard let cancelsOn = summary.cancelsOn else {
            return summary.isBundled ? text("bundled") : summary.status.displayName(language)
        }
        return text("ends \(day(cancelsOn.adding(days: -1)))")
    }
}

extension SubscriptionStatus {
    var colour: TerminalStyle.Colour? {
        switch self {
        case .active: .green
        case .trial: .blue
        case .paused: .orange
        case .cancelled, .ended: .grey
        }
    }
}
