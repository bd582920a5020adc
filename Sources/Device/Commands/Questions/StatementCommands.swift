import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct MonthCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "month", abstract: "Show what a month has cost and will still cost, by category.")

    @Argument(help: "Month, such as 2026-11. Default: this one.") var month: MonthArgument?
    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let first = month?.first ?? session.moment.today.adding(days: 1 - session.moment.today.components.day)
        try session.printStatement(
            from: first, months: 1, field: "month", name: String(first.iso.prefix(7)), title: session.month(first),
            net)
    }
}

struct YearCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "year", abstract: "Show what a year has cost and will still cost, by category.")

    @Argument(help: "Year, such as 2026. Default: this one.") var year: Int?
    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try require((1900...2199).contains(year ?? 1900), "the year must be from 1900 to 2199")
    }

    func run(_ session: Session) throws {
        let year = year ?? session.moment.today.components.year
        guard let first = CalendarDay(year: year, month: 1, day: 1) else { return }
        try session.printStatement(from: first, months: 12, field: "year", name: "\(year)", title: "\(year)", net)
    }
}

/// A month written `2026-11` or `11/2026`.
struct MonthArgument: ExpressibleByArgument {
    let first: CalendarDay

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        let iso = parts.count == 2 ? "\(parts[1])-\(parts[0].count == 1 ? "0" : "")\(parts[0])" : argument
        guard iso.utf8.count == 7, let first = CalendarDay(iso: iso + "-01") else { return nil }
        self.first = first
    }
}

extension Session {
    /// - Parameters:
    ///   - field: the name of the period's field in JSON.
    ///   - title: the heading of the first column.
    fileprivate func printStatement(
        from first: CalendarDay, months: Int, field: String, name: String, title: String, _ net: NetOption
    ) throws {
        let last = first.adding(months: months).adding(days: -1)
        let statements = try store.totals.statement(from: first, through: last, isNet: net.net, at: moment)
        let home = try store.rates.spent(
            from: first, through: min(last, moment.today), andComing: statements.map(\.toCome), isNet: net.net,
            at: moment)
        let note = try net.note(self)
        emit(home: home) { json in
            json.array(statements) { json, statement in
                json.field(field, name)
                json.field("currency", statement.currency.code)
                json.field("charged", statement.charged.decimal)
                json.field("to_come", statement.toCome.decimal)
                json.field("total", statement.total.decimal)
                json.sums("by_scope", statement.scopes.map { ($0.scope.rawValue, $0.sum) })
                json.sums("by_category", statement.categories.map { ($0.category.wire, $0.sum) })
                net.write(to: &json)
            }
        } text: {
            guard !statements.isEmpty else { return text("No charges.") }
            var table = TextTable([
                (title, .left), (text("charged"), .right), (text("to come"), .right), (text("together"), .right),
            ])
            for statement in statements {
                table.add([
                    .init(statement.currency.code, .blue), .init(money(statement.charged)),
                    .init(money(statement.toCome)), .init(money(statement.total), .blue),
                ])
                let scopes = statement.scopes.filter { $0.sum.total.minorUnits != 0 }
                    .map { ($0.scope.displayName(language), $0.sum) }
                let categories = statement.categories.map { ($0.category.displayName(language), $0.sum) }
                // One scope or one category alone says no more than the sum.
                for (name, sum) in (scopes.count > 1 ? scopes : []) + (categories.count > 1 ? categories : []) {
                    table.add([
                        .init("  " + name), .init(money(sum.charged)), .init(money(sum.toCome)),
                        .init(money(sum.total)),
                    ])
                }
            }
            return table.text(style) + note
        }
    }
}

extension JSONWriter {
    fileprivate mutating func sums(_ name: String, _ sums: [(name: String, sum: PeriodStatement.Sum)]) {
        object(name) { json in
            for (name, sum) in sums {
                json.object(name) { json in
                    json.field("charged", sum.charged.decimal)
                    json.field("to_come", sum.toCome.decimal)
                    json.field("total", sum.total.decimal)
                }
            }
        }
    }
}

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
            }, empty: "No charges yet.", home: home, note: try net.note(session),
            [.number("spent") { session.money($0) }])
    }

    private static func heading(_ key: SpendingKey) -> Sentence {
        switch key {
        case .scope: "scope"
        case .category: "category"
        case .month: "month"
        case .subscription: "name"
        }
    }

    private static func name(_ part: SpendingPart, by key: SpendingKey, _ session: Session) -> String {
        switch key {
        case .scope: SubscriptionScope(rawValue: part.key)?.displayName(session.language) ?? part.key
        case .category: (try? SubscriptionCategory(part.key))?.displayName(session.language) ?? part.key
        case .month: CalendarDay(iso: part.key + "-01").map { session.month($0) } ?? part.key
        case .subscription: part.key
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
            }, empty: "No charges yet.", home: home, note: try net.note(session),
            [
                .text(Self.heading(key)) { Self.name($0, by: key, session) }, .number("charges") { "\($0.count)" },
                .number("confirmed") { session.money($0.confirmed) },
                .number("assumed") { session.money($0.assumed) },
                .number("spent", { _ in .blue }) { session.money($0.total) },
            ])
    }
}
