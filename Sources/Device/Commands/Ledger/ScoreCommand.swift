import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ScoreCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "score",
        abstract: "Show your Control Score: the share of the last 90 days' charges that you confirmed.")

    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let score = try session.store.ledger.score(at: session.moment)
        session.print(
            object: { json in
                json.key("percent")
                if let percent = score.percentText { json.raw(percent.utf8) } else { json.null() }
                json.field("rating", score.rating?.rawValue)
                json.field("acknowledged", score.confirmed)
                json.field("late", score.late)
                json.field("missed", score.missed)
                json.field("skipped", score.skipped)
                json.field("due", score.due)
                json.field("window_days", ControlScore.windowDays)
                json.strings("explanation", score.explanation(session.language))
            }, text: { Self.text(score, session) })
    }

    private static func text(_ score: ControlScore, _ session: Session) -> String {
        let colour: TerminalStyle.Colour? =
            switch score.rating {
            case .green: .green
            case .orange: .orange
            case .red: .red
            case nil: nil
            }
        let share = Double(score.percentTenths ?? 0) / 1000
        let label = score.percentText.map { session.language.percent($0) } ?? "–"
        let ring = ScoreRing.lines(share: share, label: label, session.style, colour)
        let title = session.text("Control Score")
        return ([session.style.bold(title)] + ring + score.explanation(session.language)).joined(separator: "\n")
    }
}

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
                if let home { json.home(home, isAnnual: true) }
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
