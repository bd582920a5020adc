import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct PriceCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "price", abstract: "Change the price from a date; earlier charges keep the old one.",
        discussion: """
            The new price holds until the next dated price, if there is one. `show` lists all of them. A price from \
            the same day is replaced; --remove takes one back. Charges that you confirmed keep their amount; `paid` \
            changes it. Assumed ones follow the new price.
            """)

    @Argument(help: "Name of the subscription, or its id.") var id: String
    @Option(parsing: .unconditional, help: "The new price, such as 15.99.") var amount: String?
    @Option(help: "First day of the new price, in the past or the future.") var from: DayArgument?
    @Option(help: "Take back the price that begins on this day.") var remove: DayArgument?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if remove != nil {
            try require(amount == nil && from == nil, "--remove cannot be combined with --amount or --from")
        } else if amount == nil || from == nil {
            throw ValidationError("Missing expected argument '--\(amount == nil ? "amount" : "from")'")
        }
    }

    func run(_ session: Session) throws {
        let id = try session.subscriptionID(id)
        if let remove {
            let day = remove.day(session.moment.today)
            let repriced = try session.repricedCharges(of: id) {
                try session.store.subscriptions.removePrice(id, from: day, at: session.moment)
            }
            return try session.show(id, repriced: repriced)
        }
        guard let amount, let from = from?.day(session.moment.today) else { return }
        let currency = try session.store.subscriptions.load(id).price(on: from).currency
        let decimal = try AmountText.decimal(amount, in: currency, field: "amount")
        let repriced = try session.repricedCharges(of: id) {
            try session.store.subscriptions.setPrice(id, decimal, from: from, at: session.moment)
        }
        try session.show(id, repriced: repriced)
    }
}

struct PauseCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause a subscription. Billing dates stay the same.",
        discussion: """
            Both days may be in the past or the future. `show` lists all pauses. On a paused one, --until sets its \
            end; --remove takes a pause back.
            """)

    @Argument(help: "Name of the subscription, or its id.") var id: String
    @Option(help: "First day that is not charged. Default: today.") var from: DayArgument?
    @Option(help: "Last day that is not charged. Default: until it is resumed.") var until: DayArgument?
    @Option(help: "Take back the pause that begins on this day.") var remove: DayArgument?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try require(remove == nil || from == nil && until == nil, "--remove cannot be combined with --from or --until")
    }

    func run(_ session: Session) throws {
        let id = try session.subscriptionID(id)
        let (subscriptions, moment) = (session.store.subscriptions, session.moment)
        if let remove {
            try subscriptions.removePause(id, from: remove.day(moment.today), at: moment)
        } else {
            try subscriptions.pause(
                id, from: from?.day(moment.today) ?? moment.today, through: until?.day(moment.today), at: moment)
        }
        try session.show(id)
    }
}

struct ResumeCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "End a pause or a cancellation.",
        discussion: "What was before that date stays. A cancellation planned for after a pause stays too.")

    @Argument(help: "Name of the subscription, or its id.") var id: String
    @Option(help: "First day that is charged again. Default: today.") var from: DayArgument?
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let id = try session.subscriptionID(id)
        let from = from?.day(session.moment.today) ?? session.moment.today
        try session.store.subscriptions.setState(id, .active, from: from, at: session.moment)
        try session.show(id)
    }
}

struct CancelCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a subscription, or correct the date of its cancellation.",
        discussion:
            "Shows what a contract or notice period still costs. Without --on, these charges stay in the forecast.")

    @Argument(help: "Name of the subscription, or its id.") var id: String
    @Option(help: "First day that is no longer charged. Default: today, or the day after what is still owed.")
    var on: DayArgument?
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let id = try session.subscriptionID(id)
        let cancellation = try session.store.subscriptions.cancel(
            id, on: on?.day(session.moment.today), at: session.moment)
        let summary = try session.store.subscriptions.summary(id, at: session.moment)
        session.print(
            object: { json in
                json.fields(summary, cancelsOn: cancellation.on)
                json.fields(cancellation)
            },
            text: { ([session.line(summary)] + session.lines(cancellation)).joined(separator: "\n") })
    }
}

extension JSONWriter {
    /// `commitment` is null when nothing more is owed.
    fileprivate mutating func fields(_ cancellation: Cancellation) {
        if let commitment = cancellation.commitment {
            object("commitment") { json in
                json.field("until", commitment.through.iso)
                json.array("amounts", commitment.amounts) { $0.money($1) }
                json.array("in_forecast", cancellation.inForecast) { $0.money($1) }
            }
        } else {
            field("commitment", nil as String?)
        }
        fields(cancellation.route, noticeDays: cancellation.noticeDays)
        array("parts", cancellation.parts) { $0.fields($1) }
    }
}

extension Session {
    /// What is still owed, what the forecast holds of it, and where to cancel.
    fileprivate func lines(_ cancellation: Cancellation) -> [String] {
        var lines: [String] = []
        if let commitment = cancellation.commitment {
            let (rest, end) = (money(commitment.amounts), day(commitment.through))
            lines.append(text("still costs \(rest) until \(end)"))
            if cancellation.inForecast == commitment.amounts {
                lines.append(text("these charges stay in the forecast"))
            } else if cancellation.inForecast.isEmpty {
                lines.append(text("not in the forecast any more; to keep it: subguard cancel without --on"))
            } else {
                lines.append(text("of which \(money(cancellation.inForecast)) stays in the forecast"))
            }
        }
        if let parts = ending(cancellation.parts) { lines.append(text(parts)) }
        if let route = cancellation.route { lines.append(text("where to cancel: \(place(route))")) }
        return lines
    }
}
