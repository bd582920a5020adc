import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct UpcomingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upcoming", abstract: "Charges of the coming days, or of a range of days.")

    @Option(help: "From today through so many days later. Default: 30.") var days: Int?
    @Option(help: "The first day.") var from: DayArgument?
    @Option(help: "The last day.") var to: DayArgument?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard days == nil || from == nil && to == nil else {
            throw ValidationError("--days goes without --from and --to")
        }
        guard (from == nil) == (to == nil) else { throw ValidationError("--from and --to go together") }
        if let days, !(0...3660).contains(days) { throw ValidationError("--days must be from 0 to 3660") }
        if let from, let to, from.day > to.day { throw ValidationError("--from must not be after --to") }
        if let from, let to, from.day.days(until: to.day) > 36_600 {
            throw ValidationError("--from and --to must lie within a hundred years")
        }
    }

    func run() throws {
        try Session.read(options) { session in
            let first = from?.day ?? session.moment.today
            let last = to?.day ?? session.moment.today.adding(days: days ?? 30)
            session.print(
                try session.store.ledger.occurrences(from: first, through: last, at: session.moment),
                empty: session.text("Nothing is due.", "Rien n'est dû."))
        }
    }
}

struct PendingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "What is due within 7 days and not acknowledged.")

    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            session.print(
                try session.store.ledger.pending(at: session.moment),
                empty: session.text("Well done! Nothing to acknowledge.", "Bravo ! 🎉 Rien à acquitter."))
        }
    }
}

struct MissedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "missed", abstract: "What passed without acknowledgment, latest first.")

    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            session.print(
                try session.store.ledger.missed(at: session.moment),
                empty: session.text("Nothing was missed.", "Rien n'a été manqué."))
        }
    }
}

struct AcknowledgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ack", abstract: "Acknowledges a charge; one that has passed becomes late.")

    @Argument(help: "Its occurrence_id, as `pending` shows it.") var occurrence: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let id = try session.occurrenceID(occurrence)
            session.print(try session.store.ledger.confirm(id, at: session.moment))
        }
    }
}

struct SkipCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Notes that a charge was not made; it counts for nothing.")

    @Argument(help: "Its occurrence_id, as `upcoming` shows it.") var occurrence: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            session.print(try session.store.ledger.skip(try session.occurrenceID(occurrence), at: session.moment))
        }
    }
}

struct PaidCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paid", abstract: "Notes what was really paid, and acknowledges it.")

    @Argument(help: "Its occurrence_id, as `upcoming` shows it.") var occurrence: String
    @Option(parsing: .unconditional, help: "What was paid.") var amount: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let id = try session.occurrenceID(occurrence)
            session.print(try session.store.ledger.recordPaid(id, amount: amount, at: session.moment))
        }
    }
}

extension Session {
    fileprivate func print(_ occurrence: Occurrence) {
        print(
            object: { $0.fields(occurrence) },
            text: {
                "\(occurrence.name)  \(money(occurrence.amount))  \(day(occurrence.billingOn))  "
                    + style.colour(occurrence.status.displayName(language), occurrence.status.colour)
            })
    }

    fileprivate func print(_ occurrences: [Occurrence], empty: String) {
        print(
            occurrences, json: { $1.fields($0) },
            columns: [
                (text("due", "échéance"), .left), (text("name", "nom"), .left), (text("amount", "montant"), .right),
                (text("status", "statut"), .left), ("occurrence", .left),
            ], empty: empty
        ) { occurrence in
            [
                .init(day(occurrence.billingOn)), .init(occurrence.name), .init(money(occurrence.amount)),
                .init(occurrence.status.displayName(language), occurrence.status.colour),
                .init(occurrence.id.wire, .grey),
            ]
        }
    }
}

extension OccurrenceStatus {
    var colour: TerminalStyle.Colour? {
        switch self {
        case .expected: nil
        case .pending: .blue
        case .acknowledged: .green
        case .late: .orange
        case .missed: .red
        case .skipped: .grey
        }
    }
}
