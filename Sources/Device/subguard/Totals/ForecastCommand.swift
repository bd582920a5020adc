import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ForecastCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast", abstract: "Forecast charges, including known price changes.",
        discussion: "The first month starts today.")

    @Option(help: "Number of months, 1 to 120.") var months = 12
    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard Forecast.monthsRange.contains(months) else { throw ValidationError("--months must be from 1 to 120") }
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
            },
            columns: [
                (session.text("month"), .left), (session.text("charges"), .right),
                (session.text("amount"), .right), ("", .left),
            ], empty: session.text("No charges."),
            home: try session.store.rates.coming(rows.map(\.amount), at: session.moment),
            note: try net.note(session)
        ) { row in
            [
                .init(session.month(row.month)), .init("\(row.count)"), .init(session.money(row.amount)),
                .init(Bar.text(row.amount.minorUnits, of: highest[row.amount.currency] ?? 0), .blue),
            ]
        }
    }
}
