import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct MonthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "month", abstract: "Show what a month has cost and will still cost, by category.")

    @Argument(help: "Month, such as 2026-11. Default: this one.") var month: MonthArgument?
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            let first = month?.first ?? session.moment.today.adding(days: 1 - session.moment.today.components.day)
            try session.printStatement(
                from: first, months: 1, field: "month", name: String(first.iso.prefix(7)), title: session.month(first))
        }
    }
}

struct YearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "year", abstract: "Show what a year has cost and will still cost, by category.")

    @Argument(help: "Year, such as 2026. Default: this one.") var year: Int?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard year.map({ (1900...2199).contains($0) }) ?? true else {
            throw ValidationError("the year must be from 1900 to 2199")
        }
    }

    func run() throws {
        try Session.read(options) { session in
            let year = year ?? session.moment.today.components.year
            guard let first = CalendarDay(year: year, month: 1, day: 1) else { return }
            try session.printStatement(from: first, months: 12, field: "year", name: "\(year)", title: "\(year)")
        }
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
        from first: CalendarDay, months: Int, field: String, name: String, title: String
    ) throws {
        let last = first.adding(months: months).adding(days: -1)
        let statements = try store.totals.statement(from: first, through: last, at: moment)
        emit { json in
            json.beginArray()
            for statement in statements {
                json.beginObject()
                json.field(field, name)
                json.field("currency", statement.currency.code)
                json.field("charged", statement.charged.decimal)
                json.field("to_come", statement.toCome.decimal)
                json.field("total", statement.total.decimal)
                json.key("by_category")
                json.beginObject()
                for part in statement.categories {
                    json.key(part.category.wire)
                    json.beginObject()
                    json.field("charged", part.charged.decimal)
                    json.field("to_come", part.toCome.decimal)
                    json.field("total", part.total.decimal)
                    json.endObject()
                }
                json.endObject()
                json.endObject()
            }
            json.endArray()
        } text: {
            guard !statements.isEmpty else { return text("No charges.") }
            var table = TextTable([
                (title, .left), (text("charged"), .right), (text("to come"), .right), (text("together"), .right),
            ])
            for statement in statements {
                for part in statement.categories {
                    table.add([
                        .init(part.category.displayName(language)), .init(money(part.charged)),
                        .init(money(part.toCome)),
                        .init(money(part.total)),
                    ])
                }
                table.add([
                    .init(statement.currency.code, .blue), .init(money(statement.charged)),
                    .init(money(statement.toCome)), .init(money(statement.total), .blue),
                ])
            }
            return table.text(style)
        }
    }
}
