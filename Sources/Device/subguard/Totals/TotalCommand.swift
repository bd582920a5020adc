import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct TotalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "total", abstract: "Show the yearly cost, by currency and category.")

    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            let rows = try session.store.totals.costs(at: session.moment)
            session.emit { json in
                json.beginArray()
                for row in rows {
                    json.beginObject()
                    json.field("currency", row.currency.code)
                    json.field("annual", row.annual.decimal)
                    json.field("monthly", row.monthly.decimal)
                    json.field("count", row.count)
                    json.key("by_category")
                    json.beginObject()
                    for part in row.categories {
                        json.key(part.category.wire)
                        json.beginObject()
                        json.field("count", part.count)
                        json.field("annual", part.annual.decimal)
                        json.endObject()
                    }
                    json.endObject()
                    json.endObject()
                }
                json.endArray()
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
                    for part in row.categories where part.count > 0 {
                        let name = "  " + part.category.displayName(session.language)
                        table.add([.init(name), .init("\(part.count)"), .init(session.money(part.annual)), .init("")])
                    }
                }
                return table.text(session.style)
            }
        }
    }
}
