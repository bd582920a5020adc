import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a subscription and print its id.")

    @Option(help: "Slug or id of a catalogue item that provides the name, amount, currency and cycle not given here.")
    var fromCatalogue: String?
    @OptionGroup var fields: SubscriptionOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        var required: [(String, Bool)] = [("next", fields.next == nil)]
        if fromCatalogue == nil {
            required.insert(
                contentsOf: [
                    ("name", fields.name == nil), ("amount", fields.amount == nil),
                    ("currency", fields.currency == nil && !fields.amountNamesCurrency), ("cycle", fields.cycle == nil),
                ], at: 0)
        }
        if let missing = required.first(where: \.1) {
            throw ValidationError("Missing expected argument '--\(missing.0)'")
        }
    }

    func run() throws {
        try Session.write(options) { session in
            let subscription = try session.store.subscriptions.add(try draft(session), at: session.moment)
            let summary = try session.store.subscriptions.summary(subscription.id, at: session.moment)
            session.print(object: { $0.fields(summary) }, text: { subscription.id.lowercased })
        }
    }

    /// The given fields, completed from the catalogue. With another currency than the item's, an amount must be given.
    private func draft(_ session: Session) throws -> SubscriptionDraft {
        let given = try fields.draft(session)
        guard let fromCatalogue else { return given }
        let item = try session.catalogueItem(fromCatalogue, field: "from-catalogue")
        var draft: SubscriptionDraft = [
            .name: item.name, .cycle: item.billingCycle.wire, .catalogueItemID: item.id.lowercased,
            .currency: item.typicalAmount.currency.code,
            .scope: SubscriptionScope(catalogue: item.category).rawValue,
            .category: SubscriptionCategory(catalogue: item.category).wire,
        ]
        // `--category pro`, of before scopes, decides the scope too.
        if given[.scope] == nil, let named = given[.category].flatMap({ SubscriptionScope(named: $0) }) {
            draft[.scope] = named.rawValue
        }
        if given[.currency].map({ $0.uppercased() == item.typicalAmount.currency.code }) ?? true {
            draft[.amount] = item.typicalAmount.decimal
        }
        return draft.merging(given) { $1 }
    }
}

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
            let draft = try fields.draft(session, currency: currency)
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
            text: {
                "\(summary.name)  \(price(summary))  \(summary.cycle.displayName(language))  "
                    + "\(day(summary.nextBillingOn))  \(status(summary))"
            })
    }
}
