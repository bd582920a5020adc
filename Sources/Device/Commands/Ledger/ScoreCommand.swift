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
