import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Split a subscription's cost.",
        discussion: """
            even and shares include you: with two other people, everyone pays a third, and you have one share. With percent and \
            exact, give the parts of the other people; you pay the rest. free: you pay everything.
            """)

    @Argument(help: "The subscription's id, or its first 8 or more characters.") var subscription: String
    @Option(help: "Ids of the other people, separated by commas; empty to stop sharing.") var with: String?
    @Option(help: "How the cost is split.") var split = SplitKind.even
    @Option(help: "Each person's percentage, amount or number of shares: ID=value pairs separated by commas.")
    var parts: String?
    @Option(help: "First day whose charges they owe you a part of; later ones from there on. Default: today.")
    var from: DayArgument?
    @Flag(help: "Record that the other people agreed; `show` says so.") var accepted = false
    @Option(help: "Notes.") var notes: String?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard with != nil || parts != nil else { throw ValidationError("Missing expected argument '--with'") }
        let needsParts = split == .percent || split == .exact || split == .shares
        guard !needsParts || parts != nil || with == "" else {
            throw ValidationError("--split \(split.rawValue) requires --parts")
        }
        guard needsParts || parts == nil else {
            throw ValidationError("--split \(split.rawValue) does not take --parts")
        }
    }

    func run() throws {
        try Session.write(options) { session in
            let id = try session.subscriptionID(subscription)
            let subscription = try session.store.subscriptions.load(id)
            var people = try session.personIDs(with ?? "")
            // One's own part is always there.
            if parts == nil, people.contains(where: { $0 != Person.me }) { people.removeAll { $0 == Person.me } }
            let split = try session.split(
                split, between: people, parts: parts,
                currency: subscription.price(on: session.moment.today).currency)
            guard with == nil || Set(people) == Set(split.people) else {
                throw DeviceStoreError.invalid(
                    Fault("parts", .outOfRange, "Must name the same people as --with."))
            }
            var share = SubscriptionShare(subscriptionID: id, split: split)
            share.isAccepted = accepted
            share.notes = notes ?? ""
            let day = from?.day(session.moment.today, towards: .last)
            try session.store.sharing.save(share, from: day, at: session.moment)
            try report(subscription, session)
        }
    }

    private func report(_ subscription: Subscription, _ session: Session) throws {
        let price = subscription.price(on: session.moment.today)
        let shares =
            try session.shareParts(of: subscription)
            ?? ShareParts(price: price, exceedsPrice: false, isAccepted: accepted, parts: [])
        session.print(
            object: { json in
                json.field("subscription_id", subscription.id.lowercased)
                json.field("split", split.rawValue)
                json.money(price)
                json.field("owner_amount", shares.owner.decimal)
                json.field("accepted", accepted)
                shares.write(to: &json)
            },
            text: {
                (shares.parts.map { "\($0.name)  \(session.money($0.amount))" }
                    + ["\(session.text("you"))  \(session.money(shares.owner))"]).joined(separator: "\n")
            })
    }
}
