import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Says who bears which part of a subscription.",
        discussion: """
            An even split, and one by shares, counts you in: with two others it is a third each, and you have one share. \
            Percentages and amounts are the others'; you bear the rest.
            """)

    @Argument(help: "The subscription's id, or the beginning of it.") var subscription: String
    @Option(help: "Ids of people, with commas between; empty ends the sharing.") var with: String?
    @Option(help: "How it is divided.") var split = SplitKind.even
    @Option(help: "ID=percentage, amount or number, with commas between.") var parts: String?
    @Flag(help: "The others have agreed.") var accepted = false
    @Option(help: "Anything worth knowing.") var notes: String?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard with != nil || parts != nil else { throw ValidationError("Missing expected argument '--with'") }
        let needsParts = split == .percent || split == .exact || split == .shares
        guard !needsParts || parts != nil || with == "" else {
            throw ValidationError("--split \(split.rawValue) needs --parts")
        }
        guard needsParts || parts == nil else { throw ValidationError("--split \(split.rawValue) has no --parts") }
    }

    func run() throws {
        try Session.write(options) { session in
            let id = try session.subscriptionID(subscription)
            let subscription = try session.store.subscriptions.load(id)
            let people = try session.personIDs(with ?? "")
            let split = try session.split(split, between: people, parts: parts, currency: subscription.currency)
            guard with == nil || Set(people) == Set(split.people) else {
                throw DeviceStoreError.invalid(
                    Fault("parts", .outOfRange, "Must name the people of --with."))
            }
            var share = SubscriptionShare(subscriptionID: id, split: split)
            share.isAccepted = accepted
            share.notes = notes ?? ""
            try session.store.sharing.save(share, at: session.moment)
            try report(subscription, session)
        }
    }

    private func report(_ subscription: Subscription, _ session: Session) throws {
        let price = subscription.price(on: session.moment.today)
        let shares =
            try session.shareParts(of: subscription) ?? ShareParts(price: price, exceedsPrice: false, parts: [])
        session.print(
            object: { json in
                json.field("subscription_id", subscription.id.lowercased)
                json.field("split", split.rawValue)
                json.money(price)
                json.field("owner_amount", shares.owner.decimal)
                shares.write(to: &json)
            },
            text: {
                (shares.parts.map { "\($0.name)  \(session.money($0.amount))" }
                    + ["\(session.text("you", "toi"))  \(session.money(shares.owner))"]).joined(separator: "\n")
            })
    }
}
