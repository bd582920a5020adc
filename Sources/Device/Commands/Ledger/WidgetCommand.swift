import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct WidgetCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "widget", abstract: "Show the content of the widget for the next 24 hours.")

    @Option(help: "Widget size: small, medium or large.") var family = WidgetFamily.medium
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let timeline = try session.store.ledger.widget(family, at: session.moment)
        let home = try session.store.rates.annualCost(at: session.moment)
        let subscriptions = try Dictionary(
            uniqueKeysWithValues: Set(timeline.entries.flatMap { $0.payments.map(\.id.subscriptionID) }).map {
                ($0, try session.store.subscriptions.load($0))
            })
        let annual = { (payment: Occurrence) in
            payment.amount.annual(subscriptions[payment.id.subscriptionID]?.cycle ?? .yearly)
        }
        session.print(
            object: { json in
                json.field("family", family.rawValue)
                json.array("entries", timeline.entries) { json, entry in
                    json.field("at", entry.at.rfc3339)
                    json.array("payments", entry.payments) { json, payment in
                        json.fields(payment)
                        json.field("annual_amount", annual(payment).decimal)
                    }
                }
                if let home { json.home(home, of: .annualCosts) }
            },
            text: {
                let entries = timeline.entries.map { entry in
                    let head = session.style.bold(session.time(entry.at))
                    let lines = entry.payments.map { payment in
                        let yearly = session.text("\(session.money(annual(payment))) a year")
                        let amount = "\(session.money(payment.amount)) (\(yearly))"
                        return "  \(session.day(payment.billingOn))  \(payment.name)  \(amount)"
                    }
                    let none = ["  " + session.text("All confirmed ✓")]
                    return ([head] + (lines.isEmpty ? none : lines)).joined(separator: "\n")
                }
                let sum = home.map { session.homeLines($0, of: .annualCosts) } ?? []
                return (entries + sum).joined(separator: "\n")
            })
    }
}
