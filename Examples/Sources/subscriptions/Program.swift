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
        let model = try await SubscriptionModel.open(path: path, language: .english)
        let store = model.store
        let session = try begin(store)

        let soon = Moment.current.today.adding(days: 3).iso
        await model.add([.name: "Gym", .amount: "29.90 or so", .currency: "EUR", .cycle: "sometimes"])
        for (field, message) in model.faults.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            print("\(field.rawValue): \(message)")
        }
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
        try changes(store)
        do { try store.journal.redo(at: .current) } catch { print(message(error, .french)) }

        let (token, nonce) = (arguments[3], arguments[4])
        let online = try Online(store: store, server: arguments[2])
        try await online.account.signIn(identityToken: token, nonce: nonce)
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

    /// What is done to subscriptions that are there.
    static func changes(_ store: DeviceStore) throws {
        let today = Moment.current.today
        let rows = try store.subscriptions.list(at: .current)
        guard let gym = rows.first(where: { $0.name == "Gym" }), let news = rows.first(where: { $0.name == "News" })
        else { return }

        try store.subscriptions.setPrice(gym.id, "34.90", from: today.adding(days: 30), at: .current)
        let anna = Person(id: UUID(), name: "Anna", createdAt: Moment.current.now)
        try store.sharing.save(anna, at: .current)
        let split = Split(kind: .even, people: [anna.id])
        try store.sharing.setSplit(split, of: gym.id, at: .current)
        let cancellation = try store.subscriptions.cancel(news.id, at: .current)
        print("\(news.name): not charged from today: \(cancellation.on == today)")

        try store.settings.set(.homeCurrency, to: "EUR", at: .current)
        try store.rates.set("USD", unitsPerEuro: "1.08", on: today, at: .current)
        if let cost = try store.rates.annualCost(at: .current) {
            print("a year: \(cost.amount.formatted(.english)), without a rate: \(cost.unconverted.count)")
        }
        let personal = try yearlyCost(.personal, store, at: .current)
        print("personal: \(personal?.amount.formatted(.english) ?? "no home currency")")
        let perYear = try store.rates.converted(gym.annualAmount, at: .current)
        print("\(gym.name) a year: \(perYear?.formatted(.english) ?? "no rate")")
    }

    static func show(_ model: SubscriptionModel) {
        for row in model.screen.subscriptions {
            let days = row.nextBillingOn.map { "in \(Moment.current.today.days(until: $0)) days" } ?? "not charged"
            print("\(row.name): \(row.amount.formatted(.english)) \(days)")
        }
        print("to confirm: \(model.screen.toConfirm.map(\.name).joined(separator: ", "))")
    }
}
