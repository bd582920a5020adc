import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List subscriptions alphabetically.")

    @Option(help: "Only pro or only personal subscriptions.") var scope: String?
    @Option(help: "Only subscriptions in this category.") var category: String?
    @Option(help: "Only names that contain this text; case and accents are ignored.") var search: String?
    @Option(help: "Only subscriptions with this status.") var status: SubscriptionStatus?
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            let target = try session.checked { () throws(Fault) in
                try (
                    scope: scope.map { text throws(Fault) in try SubscriptionScope.read(text) },
                    category: category.map { text throws(Fault) in
                        try Budget.Target(scope: nil, category: text)
                    }
                )
            }
            let filter = SubscriptionFilter(
                scope: target.scope ?? target.category?.scope, category: target.category?.category, status: status,
                search: search)
            let list = try session.store.subscriptions.list(filter, at: session.moment)
            let text = session.text
            session.print(
                list, json: { $1.fields($0) },
                columns: [
                    ("id", .left), (text("name"), .left), (text("amount"), .right),
                    (text("cycle"), .left), (text("next charge"), .left),
                    (text("scope"), .left), (text("category"), .left), (text("status"), .left),
                    (text("per year"), .right),
                ],
                empty: filter == SubscriptionFilter()
                    ? text("No subscriptions yet. Add one: subguard add --help") : text("No matching subscriptions.")
            ) { summary in
                [
                    .init(summary.id.lowercased, .grey), .init(summary.name),
                    .init(session.price(summary)), .init(summary.cycle.displayName(session.language)),
                    .init(session.day(summary.nextBillingOn)), .init(summary.scope.displayName(session.language)),
                    .init(summary.category.displayName(session.language)),
                    .init(session.status(summary), summary.status.colour),
                    .init(session.money(summary.annualAmount)),
                ]
            }
        }
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
