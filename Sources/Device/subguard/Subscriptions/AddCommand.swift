import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a subscription and prints its id.")

    @Option(help: "An item of the catalogue, by slug or id, for what is not given: name, amount, currency, cycle.")
    var fromCatalogue: String?
    @OptionGroup var fields: SubscriptionOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        var required: [(String, Bool)] = [("next", fields.next == nil)]
        if fromCatalogue == nil {
            required.insert(
                contentsOf: [
                    ("name", fields.name == nil), ("amount", fields.amount == nil),
                    ("currency", fields.currency == nil), ("cycle", fields.cycle == nil),
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

    /// What was given, on what the catalogue has. An amount of another currency than the item's needs its own.
    private func draft(_ session: Session) throws -> SubscriptionDraft {
        let given = try fields.draft(session)
        guard let fromCatalogue else { return given }
        let item = try session.catalogueItem(fromCatalogue, field: "from-catalogue")
        var draft: SubscriptionDraft = [
            .name: item.name, .cycle: item.billingCycle.wire, .catalogueItemID: item.id.lowercased,
            .currency: item.typicalAmount.currency.code,
        ]
        if given[.currency].map({ $0.uppercased() == item.typicalAmount.currency.code }) ?? true {
            draft[.amount] = item.typicalAmount.decimal
        }
        return draft.merging(given) { $1 }
    }
}

struct EditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes fields of a subscription.",
        discussion: "A new amount is a price from today on where something was charged before.")

    @Argument(help: "Its id, or the beginning of it.") var id: String
    @OptionGroup var fields: SubscriptionOptions
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let id = try session.subscriptionID(id)
            let draft = try fields.draft(session)
            if !draft.isEmpty { try session.store.subscriptions.edit(id, draft, at: session.moment) }
            try session.show(id)
        }
    }
}

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a subscription with its history.")

    @Argument(help: "Its id, or the beginning of it.") var id: String
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
    /// One subscription's line, after a change.
    func show(_ id: UUID) throws {
        if let shares = try shareParts(of: try store.subscriptions.load(id)), shares.exceedsPrice {
            StandardStream.error("warning: \(shares.warning(self))\n")
        }
        let summary = try store.subscriptions.summary(id, at: moment)
        print(
            object: { $0.fields(summary) },
            text: {
                let status = summary.status.displayName(language)
                return "\(summary.name)  \(money(summary.amount))  \(summary.cycle.displayName(language))  "
                    + "\(day(summary.nextBillingOn))  \(status)"
            })
    }
}
