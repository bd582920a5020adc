import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct SavingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "savings", abstract: "What cancelled subscriptions have saved so far.")

    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            session.print(
                try session.store.totals.savings(at: session.moment),
                json: { saving, json in
                    json.field("subscription_id", saving.subscriptionID.lowercased)
                    json.field("name", saving.name)
                    json.money(saving.amount)
                    json.field("cancelled_on", saving.cancelledOn.iso)
                },
                columns: [
                    (session.text("name", "nom"), .left), (session.text("since", "depuis"), .left),
                    (session.text("saved", "économisé"), .right),
                ], empty: session.text("Nothing was cancelled.", "Rien n'a été résilié.")
            ) { [.init($0.name), .init(session.day($0.cancelledOn)), .init(session.money($0.amount))] }
        }
    }
}

struct SpendingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spending", abstract: "What was charged so far: what was paid, else the prices of the days.")

    @Option(help: "The first day.") var from: DayArgument?
    @Option(help: "The last day.") var to: DayArgument?
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            session.print(
                try session.store.totals.spending(
                    from: from?.day ?? .earliest, through: to?.day, at: session.moment),
                json: { $1.money($0) }, columns: [(session.text("spent", "dépensé"), .right)],
                empty: session.text("Nothing was charged yet.", "Rien n'a encore été prélevé.")
            ) { [.init(session.money($0))] }
        }
    }
}

struct OverlapsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overlaps", abstract: "Subscriptions of which one may be too many.")

    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            let names = Dictionary(
                uniqueKeysWithValues: try session.store.subscriptions.list(at: session.moment).map { ($0.id, $0.name) })
            session.print(
                try session.store.totals.overlaps(at: session.moment),
                json: { overlap, json in
                    json.field("kind", overlap.kind.rawValue)
                    json.key("subscriptions")
                    json.beginArray()
                    for id in overlap.subscriptionIDs {
                        json.beginObject()
                        json.field("id", id.lowercased)
                        json.field("name", names[id])
                        json.endObject()
                    }
                    json.endArray()
                },
                columns: [(session.text("kind", "genre"), .left), (session.text("which", "lesquels"), .left)],
                empty: session.text("Nothing overlaps.", "Rien ne fait double emploi.")
            ) { overlap in
                [
                    .init(overlap.kind.rawValue),
                    .init(overlap.subscriptionIDs.compactMap { names[$0] }.joined(separator: ", ")),
                ]
            }
        }
    }
}

struct CancelByCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel-by", abstract: "The last safe days to cancel, soonest first.")

    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            session.print(
                try session.store.totals.cancelBy(at: session.moment),
                json: { entry, json in
                    json.field("subscription_id", entry.subscriptionID.lowercased)
                    json.field("name", entry.name)
                    json.field("cancel_by", entry.cancelBy.lastDay.iso)
                    json.field("avoids_on", entry.cancelBy.avoids.iso)
                    json.field("reason", entry.cancelBy.reason.rawValue)
                    json.field("days_left", session.moment.today.days(until: entry.cancelBy.lastDay))
                    json.money(entry.amount)
                },
                columns: [
                    (session.text("cancel by", "résilier avant"), .left), (session.text("name", "nom"), .left),
                    (session.text("avoids", "évite"), .right), (session.text("on", "le"), .left),
                    (session.text("because of", "à cause de"), .left),
                ], empty: session.text("Nothing can be cancelled.", "Rien à résilier.")
            ) { entry in
                [
                    .init(session.day(entry.cancelBy.lastDay)), .init(entry.name), .init(session.money(entry.amount)),
                    .init(session.day(entry.cancelBy.avoids)), .init(session.name(entry.cancelBy.reason)),
                ]
            }
        }
    }
}

extension Session {
    fileprivate func name(_ reason: CancelBy.Reason) -> String {
        switch reason {
        case .trial: text("trial", "essai")
        case .contract: text("contract", "contrat")
        case .billing: text("billing", "échéance")
        }
    }
}
