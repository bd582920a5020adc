import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct TotalCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "total", abstract: "Show the yearly cost, by currency, scope and category.")

    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let rows = try session.store.totals.costs(isNet: net.net, at: session.moment)
        let home = try session.store.rates.annualCost(isNet: net.net, at: session.moment)
        let note = try net.note(session)
        session.emit(home: home, of: .annualCosts) { json in
            json.array(rows) { json, row in
                json.field("currency", row.currency.code)
                json.field("annual", row.annual.decimal)
                json.field("monthly", row.monthly.decimal)
                json.field("count", row.count)
                json.parts("by_scope", row.scopes.map { ($0.scope.rawValue, $0.count, $0.annual) })
                json.parts("by_category", row.categories.map { ($0.category.wire, $0.count, $0.annual) })
                net.write(to: &json)
            }
        } text: {
            guard !rows.isEmpty else { return session.text("No active subscriptions.") }
            var table = TextTable([
                ("", .left), (session.text("count"), .right), (session.text("per year"), .right),
                (session.text("per month"), .right),
            ])
            for row in rows {
                table.add([
                    .init(row.currency.code, .blue), .init("\(row.count)"), .init(session.money(row.annual)),
                    .init(session.money(row.monthly)),
                ])
                let scopes = row.scopes.filter { $0.count > 0 }
                    .map { ($0.scope.displayName(session.language), $0.count, $0.annual) }
                let categories = row.categories
                    .map { ($0.category.displayName(session.language), $0.count, $0.annual) }
                // One scope or one category alone says no more than the sum.
                for (name, count, annual) in (scopes.count > 1 ? scopes : [])
                    + (categories.count > 1 ? categories : [])
                {
                    table.add([.init("  " + name), .init("\(count)"), .init(session.money(annual)), .init("")])
                }
            }
            return table.text(session.style) + note
        }
    }
}

extension JSONWriter {
    fileprivate mutating func parts(_ name: String, _ parts: [(name: String, count: Int, annual: Money)]) {
        object(name) { json in
            for part in parts {
                json.object(part.name) { json in
                    json.field("count", part.count)
                    json.field("annual", part.annual.decimal)
                }
            }
        }
    }
}

struct ForecastCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast", abstract: "Forecast charges, including known price changes.",
        discussion: "The first month starts today.")

    @Option(help: "Number of months, 1 to 120.") var months = 12
    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try require(Forecast.monthsRange.contains(months), "--months must be from 1 to 120")
    }

    func run(_ session: Session) throws {
        let rows = try session.store.totals.forecast(months: months, isNet: net.net, at: session.moment)
        var highest: [Currency: Int64] = [:]
        for row in rows {
            highest[row.amount.currency] = max(highest[row.amount.currency] ?? 0, row.amount.minorUnits)
        }
        session.print(
            rows,
            json: { row, json in
                json.field("month", String(row.month.iso.prefix(7)))
                json.field("currency", row.amount.currency.code)
                json.field("amount", row.amount.decimal)
                json.field("count", row.count)
                net.write(to: &json)
            }, empty: "No charges.", home: try session.store.rates.coming(rows.map(\.amount), at: session.moment),
            note: try net.note(session),
            [
                .text("month") { session.month($0.month) }, .number("charges") { "\($0.count)" },
                .number("amount") { session.money($0.amount) },
                .text("", { _ in .blue }) { Bar.text($0.amount.minorUnits, of: highest[$0.amount.currency] ?? 0) },
            ])
    }
}
