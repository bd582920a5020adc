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

    @Argument(help: "Name of the subscription, or its id.") var id: String
    @OptionGroup var fields: SubscriptionOptions
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let id = try session.subscriptionID(id)
        let draft = try fields.draft(session, of: id)
        let repriced = try session.repricedCharges(of: id) {
            if !draft.isEmpty { try session.store.subscriptions.edit(id, draft, at: session.moment) }
        }
        if draft.isEmpty { session.note("nothing to change: name a field, such as --amount") }
        try session.show(id, repriced: repriced)
    }
}

struct DeleteCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a subscription and its history.")

    @Argument(help: "Name of the subscription, or its id.") var id: String
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        var parts: [SubscriptionSummary] = []
        try session.delete(
            session.subscriptionID(id), { try session.store.subscriptions.load($0).name },
            by: { parts = try session.store.subscriptions.delete($0, at: $1) },
            json: { json in json.array("parts", parts) { $0.fields($1) } }, text: { session.chargedAlone(parts) })
    }
}

/// Earlier charges whose price a change made another one, newest first.
struct RepricedCharges {
    /// Those that the user confirmed: they keep their amounts.
    var kept: [LedgerEntry] = []
    /// Those that were only assumed, with their new amounts.
    var followed: [LedgerEntry] = []
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
    /// - Parameter repriced: earlier charges whose price is another one since the change.
    func show(_ id: UUID, repriced: RepricedCharges = RepricedCharges()) throws {
        let subscription = try store.subscriptions.load(id)
        let share = try store.sharing.plan(of: id, at: moment).current
        let shares = try store.sharing.parts(of: share, subscription.price(on: moment.today))
        if shares.exceedsPrice { warn(shares.warning(self)) }
        let summary = try store.subscriptions.summary(id, at: moment)
        print(
            object: { json in
                json.fields(summary, cancelsOn: subscription.cancelledOn(by: moment.today))
                for (name, entries) in [("kept", repriced.kept), ("followed", repriced.followed)]
                where !entries.isEmpty {
                    json.array(name, entries) { json, entry in
                        json.field("billing_on", entry.occurrence.billingOn.iso)
                        json.money(entry.amount)
                    }
                }
            },
            text: { ([line(summary)] + coming(subscription)).joined(separator: ", ") })
        guard !isJSON else { return }
        if !repriced.kept.isEmpty {
            let (count, charges) = (repriced.kept.count, charges(repriced.kept))
            note(
                """
                \(count) confirmed charge keeps its amount: \(charges); `paid` changes it|\
                \(count) confirmed charges keep their amounts: \(charges); `paid` changes one
                """
            )
        }
        if !repriced.followed.isEmpty {
            let (count, charges) = (repriced.followed.count, charges(repriced.followed))
            note(
                """
                \(count) assumed charge follows the new price: \(charges)|\
                \(count) assumed charges follow the new price: \(charges)
                """
            )
        }
    }

    /// How many charges are named; `--json` has all.
    private static let mostNamed = 6

    /// The newest first, as in the history.
    private func charges(_ entries: [LedgerEntry]) -> String {
        entries.prefix(Self.mostNamed).map { "\(day($0.occurrence.billingOn)) \(money($0.amount))" }
            .joined(separator: ", ") + (entries.count > Self.mostNamed ? ", …" : "")
    }

    /// Runs a change of prices, and returns the charges before it whose price it changed.
    func repricedCharges(of id: UUID, _ change: () throws -> Void) throws -> RepricedCharges {
        let former = try store.subscriptions.load(id)
        let confirmed = try store.ledger.history(id, at: moment)
            .filter { $0.paid == nil && [.confirmed, .late].contains($0.status) }
        try change()
        let subscription = try store.subscriptions.load(id)
        let repriced = confirmed.filter { entry in
            let day = entry.occurrence.billingOn
            return former.price(on: day) != subscription.price(on: day)
        }
        return RepricedCharges(
            kept: repriced.filter { !$0.isAssumed },
            followed: repriced.filter(\.isAssumed).map { entry in
                var entry = entry
                entry.amount = subscription.price(on: entry.occurrence.billingOn)
                return entry
            })
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
            + "\(day(summary.isOnHold ? nil : summary.nextBillingOn))  \(status(summary))"
    }
}
