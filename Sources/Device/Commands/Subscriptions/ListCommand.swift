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
        // What another one pays for costs nothing by itself, and neither does what is paused until it is resumed.
        let isCharged = { (summary: SubscriptionSummary) in !summary.isBundled && !summary.isOnHold }
        session.print(
            list, json: { $1.fields($0) },
            empty: filter == SubscriptionFilter()
                ? "No subscriptions yet. Add one: subguard add \"Netflix 13.49 €/month\""
                : "No matching subscriptions.",
            width: 80, flexible: [0, 4, 2], optional: [4, 6],
            [
                .text("name") { $0.name }, .number("amount") { session.price($0) },
                .text("cycle") { $0.cycle.shortName(session.language) },
                .text("next") { session.day(isCharged($0) ? $0.nextBillingOn : nil) },
                .text("category") { $0.category.displayName(session.language) },
                .text("status", { $0.status.colour }) { session.shortStatus($0) },
                .number("per year") { isCharged($0) ? session.money($0.annualAmount) : "–" },
            ])
    }
}

extension Session {
    /// The status, or the last day of one whose cancellation is planned.
    fileprivate func shortStatus(_ summary: SubscriptionSummary) -> String {
        guard let cancelsOn = summary.cancelsOn else {
            let isIncluded = summary.isBundled && summary.status.isCharged
            return isIncluded ? text("bundled") : summary.status.displayName(language)
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
