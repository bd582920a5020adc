import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct EditCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change fields of a subscription.",
        discussion:
            """
            A new amount or currency applies from today; earlier charges and confirmed ones keep theirs. To choose the \
            date, use `price`.
            """)

    @Argument(help: "The subscription's id, or its first 8 or more characters.") var id: String
    @OptionGroup var fields: SubscriptionOptions
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let id = try session.subscriptionID(id)
        let draft = try fields.draft(session, of: id)
        let kept = try session.keptCharges(of: id) {
            if !draft.isEmpty { try session.store.subscriptions.edit(id, draft, at: session.moment) }
        }
        if draft.isEmpty { session.note("nothing to change: name a field, such as --amount") }
        try session.show(id, kept: kept)
    }
}

struct DeleteCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a subscription and its history.")

    @Argument(help: "The subscription's id, or its first 8 or more characters.") var id: String
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        try session.delete(session.subscriptionID(id), by: session.store.subscriptions.delete)
    }
}

extension Session {
    /// The status, and from when on it is cancelled if that is planned: `active, cancelled from 2027-01-15`.
    func status(_ summary: SubscriptionSummary) -> String {
        let status = summary.status.displayName(language)
        guard let cancelsOn = summary.cancelsOn else { return status }
        return text("\(status), cancelled from \(day(cancelsOn))")
    }

    /// The price, with `~` before an estimate.
    func price(_ summary: SubscriptionSummary) -> String {
        (summary.isVariable ? "~" : "") + money(summary.amount)
    }

    /// Prints a subscription on one line, after a change, with the prices and states that are still to come.
    ///
    /// - Parameter kept: confirmed charges that keep an amount other than the price of their day.
    func show(_ id: UUID, kept: [LedgerEntry] = []) throws {
        let subscription = try store.subscriptions.load(id)
        if let shares = try shareParts(of: subscription), shares.exceedsPrice {
            warn(shares.warning(self))
        }
        let summary = try store.subscriptions.summary(id, at: moment)
        print(
            object: { json in
                json.fields(summary)
                guard !kept.isEmpty else { return }
                json.array("kept", kept) { json, entry in
                    json.field("billing_on", entry.occurrence.billingOn.iso)
                    json.money(entry.amount)
                }
            },
            text: { ([line(summary)] + coming(subscription)).joined(separator: ", ") })
        guard !kept.isEmpty, !isJSON else { return }
        // The newest first, as in the history.
        let charges =
            kept.prefix(Self.mostKept).map { "\(day($0.occurrence.billingOn)) \(money($0.amount))" }
            .joined(separator: ", ") + (kept.count > Self.mostKept ? ", …" : "")
        let count = kept.count
        note(
            """
            \(count) confirmed charge keeps its amount: \(charges); `paid` changes it|\
            \(count) confirmed charges keep their amounts: \(charges); `paid` changes one
            """
        )
    }

    /// How many charges are named; `--json` has all.
    private static let mostKept = 6

    /// Runs a change of prices, and returns the confirmed charges whose amount it did not change although the price of
    /// their day is another one now.
    func keptCharges(of id: UUID, _ change: () throws -> Void) throws -> [LedgerEntry] {
        let former = try store.subscriptions.load(id)
        let confirmed = try store.ledger.history(id, at: moment)
            .filter { $0.paid == nil && [.confirmed, .late].contains($0.status) }
        try change()
        let subscription = try store.subscriptions.load(id)
        return confirmed.filter { entry in
            let day = entry.occurrence.billingOn
            return former.price(on: day) != subscription.price(on: day)
        }
    }

    /// What is known of the days after today: `€17.99 from 2027-03-01`, `paused from 2027-03-01 through 2027-04-30`.
    private func coming(_ subscription: Subscription) -> [String] {
        let today = moment.today
        var said = subscription.priceHistory.filter { $0.from > today }.map { price in
            text("\(money(price.amount)) from \(day(price.from))")
        }
        let states = subscription.stateHistory
        for (index, state) in states.enumerated() where state.from > today {
            let next = states.dropFirst(index + 1).first?.from
            switch state.state {
            case .paused:
                let (from, last) = (day(state.from), day(next?.adding(days: -1)))
                said.append(next == nil ? text("paused from \(from)") : text("paused from \(from) through \(last)"))
            case .active where index == 0 || states[index - 1].from <= today:
                said.append(text("active from \(day(state.from))"))
            case .active, .cancelled: break
            }
        }
        return said
    }

    /// One line: name, price, cycle, next charge and status.
    func line(_ summary: SubscriptionSummary) -> String {
        "\(summary.name)  \(price(summary))  \(summary.cycle.displayName(language))  "
            + "\(day(summary.nextBillingOn))  \(status(summary))"
    }
}
