import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct SpendingCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "spending", abstract: "Show what you spent, per currency.",
        discussion: "Charges that you never confirmed are assumed at the price of their day.")

    @Option(help: "Break it down.") var by: SpendingKey?
    @Option(help: "First day. Default: the beginning.") var from: DayArgument?
    @Option(help: "Last day. Default: today.") var to: DayArgument?
    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let today = session.moment.today
        let first = from?.day(today, towards: .last) ?? .earliest
        let last = to?.day(today, towards: .last)
        let home = try session.store.rates.spent(
            from: first, through: last ?? today, isNet: net.net, at: session.moment)
        if let by { return try printParts(by, from: first, through: last, home, session) }
        session.print(
            try session.store.totals.spending(from: first, through: last, isNet: net.net, at: session.moment),
            json: { part, json in
                json.money(part)
                net.write(to: &json)
            }, columns: [(session.text("spent"), .right)],
            empty: session.text("No charges yet."), home: home, note: try net.note(session)
        ) { [.init(session.money($0))] }
    }

    private static func heading(_ key: SpendingKey) -> Sentence {
        switch key {
        case .scope: "scope"
        case .category: "category"
        case .month: "month"
        case .subscription: "name"
        }
    }

    private func printParts(
        _ key: SpendingKey, from first: CalendarDay, through last: CalendarDay?, _ home: HomeSum?,
        _ session: Session
    ) throws {
        let parts = try session.store.totals.spending(
            by: key, from: first, through: last, isNet: net.net, at: session.moment)
        session.print(
            parts,
            json: { part, json in
                if let id = part.subscriptionID { json.field("subscription_id", id.lowercased) }
                json.field(key == .subscription ? "name" : key.rawValue, part.key)
                json.money(part.total)
                json.field("confirmed", part.confirmed.decimal)
                json.field("assumed", part.assumed.decimal)
                json.field("count", part.count)
                net.write(to: &json)
            },
            columns: [
                (session.text(Self.heading(key)), .left),
                (session.text("charges"), .right), (session.text("confirmed"), .right),
                (session.text("assumed"), .right), (session.text("spent"), .right),
            ], empty: session.text("No charges yet."), home: home, note: try net.note(session)
        ) { part in
            let name =
                switch key {
                case .scope: SubscriptionScope(rawValue: part.key)?.displayName(session.language) ?? part.key
                case .category: (try? SubscriptionCategory(part.key))?.displayName(session.language) ?? part.key
                case .month: CalendarDay(iso: part.key + "-01").map { session.month($0) } ?? part.key
                case .subscription: part.key
                }
            return [
                .init(name), .init("\(part.count)"), .init(session.money(part.confirmed)),
                .init(session.money(part.assumed)), .init(session.money(part.total), .blue),
            ]
        }
    }
}
