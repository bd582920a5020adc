import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct EditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change fields of a subscription.",
        discussion:
            """
            A new amount or currency applies from today; earlier charges keep theirs. To choose the date, use `price`.
            """)

    @Argument(help: "The subscription's id, or its first 8 or more characters.") var id: String
    @OptionGroup var fields: SubscriptionOptions
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let id = try session.subscriptionID(id)
            let currency = try session.store.subscriptions.load(id).price(on: session.moment.today).currency
            let draft = try fields.draft(session, currency: currency, of: id)
            if !draft.isEmpty { try session.store.subscriptions.edit(id, draft, at: session.moment) }
            try session.show(id)
        }
    }
}

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a subscription and its history.")

    @Argument(help: "The subscription's id, or its first 8 or more characters.") var id: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let id = try session.subscriptionID(id)
            try session.store.subscriptions.delete(id, at: session.moment)
            session.print(deleted: id)
        }
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

    /// Prints a subscription on one line, after a change.
    func show(_ id: UUID) throws {
        if let shares = try shareParts(of: try store.subscriptions.load(id)), shares.exceedsPrice {
            warn(shares.warning(self))
        }
        let summary = try store.subscriptions.summary(id, at: moment)
        print(
            object: { $0.fields(summary) },
            text: { line(summary) })
    }

    /// One line: name, price, cycle, next charge and status.
    func line(_ summary: SubscriptionSummary) -> String {
        "\(summary.name)  \(price(summary))  \(summary.cycle.displayName(language))  "
            + "\(day(summary.nextBillingOn))  \(status(summary))"
    }
}
