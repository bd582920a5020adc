import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// A day of an app, printed. Arguments: folder, server, identity token and nonce of Sign in with Apple, transaction of
/// StoreKit. `Scripts/check example` makes the last three.
@main @MainActor
struct Program {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6 else {
            print("usage: subscriptions FOLDER SERVER IDENTITY-TOKEN NONCE TRANSACTION")
            exit(64)
        }
        let path = arguments[1] + "/subscriptions.sqlite"
        let model = try SubscriptionModel(path: path)
        let store = model.store
        let session = try begin(store)

        let soon = Moment.current.today.adding(days: 3).iso
        await model.add([.name: "Gym", .amount: "29.90 or so", .currency: "EUR", .cycle: "sometimes"])
        for (field, message) in model.faults.sorted(by: { $0.key < $1.key }) { print("\(field): \(message)") }
        await model.add([
            .name: "Gym", .amount: "29.90", .currency: "EUR", .cycle: "weekly", .nextBillingOn: soon,
        ])
        try await model.add(service(named: "netfl", in: store, nextBillingOn: soon))
        show(model)

        for charge in try widgetEntries(path: path, at: .current).first?.charges ?? [] {
            print("widget: \(charge.name)")
        }
        if let charge = model.screen.toConfirm.first { await model.confirm(charge) }
        show(model)

        for name in ["Books", "Cloud", "News", "Radio"] {
            await model.add([.name: name, .amount: "5", .currency: "EUR", .cycle: "yearly", .nextBillingOn: soon])
        }
        print("paywall: \(model.needsPremium)")
        let online = try Online(store: store, server: arguments[2])
        try await online.account.signIn(identityToken: arguments[3], nonce: arguments[4])
        print("premium: \(try await online.isPremium(signedTransaction: arguments[5], at: .current))")
        await model.add([.name: "Radio", .amount: "5", .currency: "EUR", .cycle: "yearly", .nextBillingOn: soon])
        print("subscriptions: \(model.screen.subscriptions.count)")

        try store.analytics.setConsent(.granted, at: .current)
        try report("EXC_BAD_ACCESS", in: ["Form.save()", "Form.body.getter"], to: store)
        session?.end()
        for part in await online.synchroniser.run(limit: .seconds(25), at: .current).parts {
            print("\(part.name.rawValue): \(part.error?.description ?? part.result.rawValue)")
        }
    }

    /// What the form for a service of the catalogue begins with.
    static func service(named text: String, in store: DeviceStore, nextBillingOn day: String) throws
        -> SubscriptionDraft
    {
        var draft = try store.catalogue.search(text).first?.item.subscriptionDraft ?? [:]
        draft[.nextBillingOn] = day
        return draft
    }

    static func show(_ model: SubscriptionModel) {
        for row in model.screen.subscriptions {
            let days = row.nextBillingOn.map { "in \(Moment.current.today.days(until: $0)) days" } ?? "not charged"
            print("\(row.name): \(row.amount.formatted(.english)) \(days)")
        }
        print("to confirm: \(model.screen.toConfirm.map(\.name).joined(separator: ", "))")
    }
}
