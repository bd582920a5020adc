import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct UpcomingCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "upcoming", abstract: "List charges of the next days or of a date range.")

    @Option(parsing: .unconditional, help: "Number of days from today, 0 to 3660. Default: 30.") var days: Int?
    @Option(help: "First day of the range.") var from: DayArgument?
    @Option(help: "Last day of the range.") var to: DayArgument?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try require(days == nil || from == nil && to == nil, "--days cannot be combined with --from and --to")
        try require((from == nil) == (to == nil), "--from and --to must be given together")
        try require((0...3660).contains(days ?? 0), "--days must be from 0 to 3660")
        let today = options.moment.today
        guard let from = from?.day(today), let to = to?.day(today) else { return }
        try require(from <= to, "--from must not be after --to")
        try require(from.days(until: to) <= 36_600, "--from and --to must be at most 100 years apart")
    }

    func run(_ session: Session) throws {
        let today = session.moment.today
        let first = from?.day(today) ?? today
        let last = to?.day(today) ?? today.adding(days: days ?? 30)
        session.print(
            try session.store.ledger.occurrences(from: first, through: last, at: session.moment), empty: "No charges.")
    }
}

struct PendingCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "List charges due in the next 7 days that you have not confirmed.")

    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        session.print(
            try session.store.ledger.pending(at: session.moment), empty: "Well done! Nothing to confirm.",
            withSum: true)
    }
}

struct MissedCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "missed", abstract: "List past charges you never confirmed, newest first.")

    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        session.print(try session.store.ledger.missed(at: session.moment), empty: "No missed charges.")
    }
}

private enum PaymentDay {
    static let help: ArgumentHelp = """
        Day of payment, for a cycle `after payment`: the next charge is counted from it. Default: today.
        """
}

struct ConfirmCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "ack", abstract: "Confirm charges; a past one counts as late.",
        discussion: """
            All charges are confirmed together, and one `undo` takes them back. If one cannot be confirmed, none is. \
            Several of a cycle `after payment` count as paid on their due days. \
            The app lists them under "To confirm", in French "À confirmer" ("Acquitter").
            """)

    @Argument(help: "Occurrence ids, as shown by `pending`, or NAME:DAY; a name alone if only one charge is open.")
    var occurrences: [String] = []
    @Flag(help: "Confirm every charge that `missed` and `pending` list.") var all = false
    @Option(help: "Confirm those of `missed` and `pending` that are due on this day or before it.")
    var until: DayArgument?
    @Option(help: PaymentDay.help) var on: DayArgument?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try require(occurrences.isEmpty || !all && until == nil, "occurrences cannot be combined with --all or --until")
        try require(!all || until == nil, "--all cannot be combined with --until")
        try require(!occurrences.isEmpty || all || until != nil, "an occurrence, --all or --until is required")
    }

    func run(_ session: Session) throws {
        let paidOn = on?.day(session.moment.today, towards: .last)
        if all || until != nil {
            let ids = try session.openOccurrences().map(\.id).filter {
                $0.billingOn <= until?.day(session.moment.today) ?? .latest
            }
            try session.print(changed: try session.store.ledger.confirm(ids, paidOn: paidOn, at: session.moment))
        } else if let only = occurrences.first, occurrences.count == 1 {
            let id = try session.occurrenceID(only)
            try session.print(try session.store.ledger.confirm(id, paidOn: paidOn, at: session.moment))
        } else {
            let ids = try session.occurrenceIDs(occurrences)
            try session.print(changed: try session.store.ledger.confirm(ids, paidOn: paidOn, at: session.moment))
        }
    }
}

struct SkipCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Record that charges did not happen or will not happen.",
        discussion: """
            Skipping a coming charge moves the next date. A recorded amount is kept: it counts again once the charge \
            is confirmed. Several charges are skipped together, and one `undo` takes them back.
            """)

    @Argument(help: "Occurrence ids, as shown by `upcoming`, or NAME:DAY; a name alone if only one charge is open.")
    var occurrences: [String]
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        if let only = occurrences.first, occurrences.count == 1 {
            try session.print(try session.store.ledger.skip(try session.occurrenceID(only), at: session.moment))
        } else {
            let ids = try session.occurrenceIDs(occurrences)
            try session.print(changed: try session.store.ledger.skip(ids, at: session.moment))
        }
    }
}

struct PaidCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "paid", abstract: "Record the amount paid and confirm the charge.")

    @Argument(help: "Occurrence id, as shown by `upcoming`, or NAME:DAY; a name alone if only one charge is open.")
    var occurrence: String
    @Option(parsing: .unconditional, help: "Amount paid, such as 13.49.") var amount: String
    @Option(help: PaymentDay.help) var on: DayArgument?
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let id = try session.occurrenceID(occurrence)
        let currency = try session.store.subscriptions.load(id.subscriptionID).price(on: id.billingOn).currency
        try session.print(
            try session.store.ledger.recordPaid(
                id, amount: try AmountText.decimal(amount, in: currency, field: "amount"),
                paidOn: on?.day(session.moment.today, towards: .last), at: session.moment))
    }
}

extension Session {
    fileprivate func print(_ occurrence: Occurrence) throws {
        let subscription = try store.subscriptions.load(occurrence.id.subscriptionID)
        let next = nextCharge(of: subscription, afterPaying: occurrence.billingOn)
        print(
            object: { $0.fields(occurrence) },
            text: {
                "\(occurrence.name)  \(money(occurrence.amount))  \(day(occurrence.billingOn))  "
                    + style.colour(occurrence.status.displayName(language), occurrence.status.colour)
                    + (next.map { "\n\(text("next charge"))  \(day($0))" } ?? "")
            })
    }

    /// Prints what a command changed: a list even of one, since the number is not known beforehand.
    fileprivate func print(changed occurrences: [Occurrence]) throws {
        print(occurrences, empty: "Well done! Nothing to confirm.")
        guard !isJSON else { return }
        var last: [UUID: CalendarDay] = [:]
        for occurrence in occurrences {
            last[occurrence.id.subscriptionID] = max(
                last[occurrence.id.subscriptionID] ?? .earliest, occurrence.billingOn)
        }
        for (id, day) in last.sorted(by: { $0.value < $1.value }) {
            let subscription = try store.subscriptions.load(id)
            guard let next = nextCharge(of: subscription, afterPaying: day) else { continue }
            StandardStream.output("\(subscription.name): \(text("next charge")) \(self.day(next))\n")
        }
    }

    /// What a payment has moved; nil where payments move nothing.
    private func nextCharge(of subscription: Subscription, afterPaying charge: CalendarDay) -> CalendarDay? {
        guard subscription.cycle.isCountedFromPayment else { return nil }
        return subscription.nextCharge(onOrAfter: max(moment.today, charge.adding(days: 1)))
    }

    /// - Parameter withSum: adds a line with the sum of each currency to the text.
    fileprivate func print(_ occurrences: [Occurrence], empty: Sentence, withSum: Bool = false) {
        print(
            occurrences, json: { $1.fields($0) }, empty: empty,
            [
                .text("due") { day($0.billingOn) }, .text("name") { $0.name }, .number("amount") { money($0.amount) },
                .text("status", { $0.status.colour }) { $0.status.displayName(language) },
                .text("occurrence", { _ in .grey }) { $0.id.wire },
            ])
        guard withSum, !isJSON, !occurrences.isEmpty else { return }
        StandardStream.output(text("together \(money(Money.sums(of: occurrences.map(\.amount))))") + "\n")
    }
}

extension OccurrenceStatus {
    var colour: TerminalStyle.Colour? {
        switch self {
        case .expected: nil
        case .pending: .blue
        case .confirmed: .green
        case .late: .orange
        case .missed: .red
        case .skipped: .grey
        }
    }
}
