import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a subscription and prints its id.")

    @OptionGroup var fields: SubscriptionOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        let required: [(String, Bool)] = [
            ("name", fields.name == nil), ("amount", fields.amount == nil), ("currency", fields.currency == nil),
            ("cycle", fields.cycle == nil), ("next", fields.next == nil),
        ]
        if let missing = required.first(where: \.1) {
            throw ValidationError("Missing expected argument '--\(missing.0)'")
        }
    }

    func run() throws {
        try Session.write(options) { session in
            let subscription = try session.store.add(try fields.draft(session), at: session.moment)
            let summary = try session.store.summary(subscription.id, at: session.moment)
            session.print(object: { $0.fields(summary) }, text: { subscription.id.lowercased })
        }
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
            if !draft.isEmpty { try session.store.edit(id, draft, at: session.moment) }
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
            try session.store.deleteSubscription(id, at: session.moment)
            session.print(deleted: id)
        }
    }
}

extension Session {
    /// One subscription's line, after a change.
    func show(_ id: UUID) throws {
        if let shares = try shareParts(of: try store.subscription(id)), shares.exceedsPrice {
            StandardStream.error("warning: \(shares.warning(self))\n")
        }
        let summary = try store.summary(id, at: moment)
        print(
            object: { $0.fields(summary) },
            text: {
                let status = summary.status.displayName(language)
                return "\(summary.name)  \(money(summary.amount))  \(summary.cycle.displayName(language))  "
                    + "\(day(summary.nextBillingOn))  \(status)"
            })
    }
}
