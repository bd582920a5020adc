import Accounts
import BackendTestKit
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import SubGuardSQL
import TestKit
import Testing

@Suite struct PremiumStoreTests {
    private let accounts: AccountFixture
    private let signer: AppStoreSigner
    private let premium: PremiumStore
    private let sample: StoreSample

    init() throws {
        accounts = try AccountFixture()
        signer = try AppStoreSigner(now: accounts.seconds)
        sample = StoreSample(now: accounts.seconds)
        premium = try Self.store(accounts, signer)
    }

    private static func store(
        _ accounts: AccountFixture, _ signer: AppStoreSigner, appID: Int64? = nil, products: Set<String> = [],
        environments: Set<PurchaseEnvironment> = [.production]
    ) throws -> PremiumStore {
        PremiumStore(
            context: accounts.backend.context,
            messages: AppStoreMessages(
                rules: AppStoreMessages.Rules(
                    bundleID: "app.example.subguard", environments: environments, appID: appID, productIDs: products),
                roots: try #require(AppStoreRoots(pem: [signer.rootPEM])), now: accounts.backend.context.now))
    }

    private func account(_ subject: String = "one") throws -> UUID {
        let tokens = try accounts.signIn(subject: subject, nonce: "\(subject) \(UUID())")
        return try #require(try accounts.accounts.authenticate(tokens.accessToken)).accountID
    }

    private func wait(days: Int) { accounts.backend.now = accounts.backend.now.adding(days: days) }

    private var seconds: Int64 { accounts.seconds }

    private func transaction(
        _ original: String = "2000000123456789", from: Int64? = nil, to: Int64?? = .none,
        changes: [String: String?] = [:]
    ) throws -> String {
        try signer.sign(
            sample.transaction(
                original: original, purchasedAt: from, expiresAt: to, signedAt: seconds, changes: changes))
    }

    private func notification(
        _ type: String, id: String = UUID().uuidString, transaction: String? = nil, renewal: [String: String?]? = nil,
        signedAt: Int64? = nil, changes: [String: String?] = [:]
    ) throws -> String {
        let renewal = try renewal.map { try signer.sign(sample.renewal(signedAt: seconds, changes: $0)) }
        return try signer.sign(
            sample.notification(
                type, id: id, signedAt: signedAt ?? seconds, transaction: transaction, renewal: renewal,
                changes: changes))
    }

    @Test func tellsNothingOfAnAccountThatBoughtNothing() throws {
        let state = try premium.state(of: try account())
        #expect((state.status, state.productID, state.expiresAt) == (.none, nil, nil))
        #expect(throws: BackendError.notFound(what: "account")) { try premium.state(of: UUID()) }
    }

    @Test func showsWhatWasBoughtUntilItEnds() throws {
        let id = try account()
        let shown = try transaction()
        let state = try premium.verify(shown, by: id)
        #expect((state.status, state.productID) == (.active, "premium.yearly"))
        #expect(state.expiresAt == UTCInstant(secondsSinceEpoch: seconds + 29 * 86_400))
        #expect(try premium.verify(shown, by: id) == state)
        #expect(try premium.state(of: id) == state)
        wait(days: 29)
        #expect(try premium.state(of: id).status == .expired)
    }

    @Test func goesThroughALifeByNotifications() throws {
        let id = try account()
        _ = try premium.verify(try transaction(), by: id)
        let end = seconds + 29 * 86_400
        wait(days: 29)
        let failed = try transaction(from: seconds - 30 * 86_400, to: .some(seconds))
        let grace = ["isInBillingRetryPeriod": "true", "gracePeriodExpiresDate": "\((end + 16 * 86_400) * 1000)"]
        #expect(
            try premium.receive(try notification("DID_FAIL_TO_RENEW", transaction: failed, renewal: grace)) == .applied)
        #expect(try premium.state(of: id).status == .gracePeriod)
        #expect(try premium.state(of: id).expiresAt == UTCInstant(secondsSinceEpoch: end + 16 * 86_400))
        wait(days: 16)
        #expect(try premium.state(of: id).status == .billingRetry)
        let renewed = try transaction(from: seconds)
        #expect(try premium.receive(try notification("DID_RENEW", transaction: renewed, renewal: [:])) == .applied)
        #expect(try premium.state(of: id).status == .active)
        wait(days: 1)
        let refunded = try transaction(
            from: seconds - 86_400, changes: ["revocationDate": "\(seconds * 1000)", "revocationReason": "1"])
        #expect(try premium.receive(try notification("REFUND", transaction: refunded)) == .applied)
        #expect(try premium.state(of: id).status == .refunded)
        // An older transaction from the device changes nothing.
        #expect(try premium.verify(renewed, by: id).status == .refunded)
    }

    @Test func countsEachNotificationOnceAndAnOlderOneNot() throws {
        let id = try account()
        _ = try premium.verify(try transaction(), by: id)
        wait(days: 1)
        let refund = try notification("REFUND", id: "N-1", transaction: try transaction(from: seconds - 2 * 86_400))
        #expect(try premium.receive(refund) == .applied)
        #expect(try premium.receive(refund) == .duplicate)
        let late = try notification(
            "SUBSCRIBED", transaction: try transaction(from: seconds - 2 * 86_400), signedAt: seconds - 7200)
        #expect(try premium.receive(late) == .ignored)
        #expect(try premium.state(of: id).status == .refunded)
    }

    /// The notification came first; the device presents the purchase later, with an older signed message.
    @Test func remembersWhatCameBeforeTheDevice() throws {
        let id = try account()
        let shown = try transaction(from: seconds - 86_400)
        wait(days: 1)
        let refund = try notification("REFUND", transaction: try transaction(from: seconds - 2 * 86_400))
        #expect(try premium.receive(refund) == .applied)
        #expect(try premium.verify(shown, by: id).status == .refunded)
    }

    @Test func findsTheAccountThatThePurchaseNames() throws {
        let id = try account()
        let token = try #require(try premium.state(of: id).appAccountToken)
        let named = try transaction(changes: ["appAccountToken": "\"\(token.uuidString)\""])
        #expect(try premium.receive(try notification("SUBSCRIBED", transaction: named)) == .applied)
        #expect(try premium.state(of: id).status == .active)
    }

    /// App Review and TestFlight buy in the Sandbox with the app that customers have.
    @Test func takesTheSandboxBesideProduction() throws {
        let both = try Self.store(accounts, signer, appID: 29, environments: [.production, .sandbox])
        let id = try account()
        let sandbox = ["environment": "\"Sandbox\""]
        let tried = try transaction(changes: sandbox)
        #expect(throws: SignatureRefusal.self) { try premium.verify(tried, by: id) }
        let state = try both.verify(tried, by: id)
        #expect((state.status, state.environment) == (.active, .sandbox))
        // A message from the Sandbox names no app, and is about its own purchases.
        let mixed = try notification("REFUND", transaction: try transaction(), changes: sandbox)
        #expect(throws: SignatureRefusal.self) { try both.receive(mixed) }
        // Both number their purchases on their own.
        let bought = try both.verify(try transaction(), by: id)
        #expect((bought.status, bought.environment) == (.active, .production))
        // What the tester bought has ended, and stays so when the other one ends.
        wait(days: 29)
        let longer = try transaction(from: seconds, changes: sandbox)
        #expect(try both.verify(longer, by: id).status == .expired)
        #expect(try both.state(of: id).environment == .production)
        // A server for customers only ignores what testers bought when it took both.
        let tester = try account("tester")
        #expect(try both.verify(longer, by: tester).status == .active)
        #expect(try premium.state(of: tester).status == .none)
        #expect(try premium.state(of: tester).environment == nil)
    }

    @Test func givesAPurchaseToOneAccountAlone() throws {
        let (first, second) = (try account("one"), try account("two"))
        let shown = try transaction()
        _ = try premium.verify(shown, by: first)
        #expect(try premium.verify(shown, by: second).status == .active)
        #expect(try premium.state(of: first).status == .none)
        let token = try #require(try premium.state(of: first).appAccountToken)
        let named = try transaction(changes: ["appAccountToken": "\"\(token.uuidString)\""])
        let error = #expect(throws: BackendError.self) { try premium.verify(named, by: second) }
        guard case .conflict(.purchaseTaken, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try premium.verify(named, by: first).status == .active)
        // Family sharing applies to people other than the purchaser.
        let shared = try transaction(
            "7", changes: ["appAccountToken": "\"\(token.uuidString)\"", "inAppOwnershipType": "\"FAMILY_SHARED\""])
        #expect(try premium.verify(shared, by: second).status == .active)
    }

    /// A person who erases the account and returns gets their purchases back. The device need not present the purchase
    /// again: the App Store's next message names the account.
    @Test(arguments: [true, false]) func knowsThePurchaseTokenAgainAfterAnErasure(_ isPresented: Bool) throws {
        let before = try account()
        let token = try #require(try premium.state(of: before).appAccountToken)
        let named = try transaction(changes: ["appAccountToken": "\"\(token.uuidString)\""])
        _ = try premium.verify(named, by: before)
        try accounts.accounts.erase(before)
        let after = try account()
        #expect(after != before)
        #expect(try premium.state(of: after).status == .none)
        if isPresented {
            #expect(try premium.verify(named, by: after).status == .active)
        } else {
            #expect(try premium.receive(try notification("DID_CHANGE_RENEWAL_STATUS", transaction: named)) == .applied)
        }
        #expect(try premium.state(of: after).status == .active)
    }

    /// Neither by an erasure nor by waiting: lifetime purchases (no end) and yearly ones, each presented with a message
    /// signed before the refund.
    @Test(arguments: ["REFUND", "REVOKE"])
    func bringsNothingBackByAnErasure(_ type: String) throws {
        let status: PurchaseStatus = type == "REFUND" ? .refunded : .revoked
        let before = try account()
        let year = try transaction("1", to: .some(seconds + 364 * 86_400))
        let lifetime = try transaction("2", to: .some(nil), changes: ["type": "\"Non-Consumable\""])
        for shown in [year, lifetime] {
            #expect(try premium.verify(shown, by: before).status == .active)
            wait(days: 1)
            #expect(try premium.receive(try notification(type, transaction: shown)) == .applied)
            #expect(try premium.state(of: before).status == status)
        }
        try accounts.accounts.erase(before)
        let after = try account()
        #expect(try premium.state(of: after).status == .none)
        for shown in [year, lifetime] { #expect(try premium.verify(shown, by: after).status == status) }
        try accounts.accounts.erase(after)
        wait(days: 361)
        _ = try premium.purge()
        let late = try account()
        #expect(try premium.verify(year, by: late).status == status)
        try accounts.accounts.erase(late)
        wait(days: 3650)
        _ = try premium.purge()
        let last = try account()
        #expect(try premium.verify(lifetime, by: last).status == status)
        // The yearly purchase is not kept: its end is long past, so messages signed before the refund give nothing.
        #expect(try accounts.count("purchases") == 1)
        #expect(try premium.verify(year, by: last).status == .expired)
    }

    /// The type and time of the notification count, whatever transaction it contains.
    @Test(arguments: [("REFUND", PurchaseStatus.refunded), ("REVOKE", .revoked)])
    func takesBackByTheKindOfANotification(_ type: String, _ status: PurchaseStatus) throws {
        let id = try account()
        let start = seconds - 86_400
        let early = try transaction(from: start)
        wait(days: 1)
        let between = try transaction(from: start)
        wait(days: 1)
        #expect(try premium.receive(try notification(type, transaction: early)) == .applied)
        #expect(try premium.verify(early, by: id).status == status)
        #expect(try premium.verify(between, by: id).status == status)
        wait(days: 1)
        // Nor does another notification with an older signed transaction.
        #expect(
            try premium.receive(try notification("DID_CHANGE_RENEWAL_STATUS", transaction: between)) == .applied)
        #expect(try premium.state(of: id).status == status)
        // A transaction that the App Store signed later overrides it.
        #expect(try premium.verify(try transaction(from: start), by: id).status == .active)
    }

    @Test func takesBackARefundByTheKindOfANotification() throws {
        let id = try account()
        let start = seconds - 86_400
        let early = try transaction(from: start)
        wait(days: 1)
        let refunded = try transaction(from: start, changes: ["revocationDate": "\(seconds * 1000)"])
        let refund = try notification("REFUND", transaction: early)
        wait(days: 1)
        let other = try notification("DID_CHANGE_RENEWAL_STATUS", transaction: early)
        let reversed = try notification("REFUND_REVERSED", transaction: early)
        _ = try premium.verify(early, by: id)
        // The refund arrives after a transaction that was signed later but does not contain it.
        #expect(try premium.receive(other) == .applied)
        #expect(try premium.receive(refund) == .applied)
        #expect(try premium.state(of: id).status == .refunded)
        #expect(try premium.receive(reversed) == .applied)
        #expect(try premium.verify(refunded, by: id).status == .active)
    }

    @Test func letsTheBestPurchaseDecide() throws {
        let id = try account()
        _ = try premium.verify(try transaction("1", from: seconds - 90 * 86_400), by: id)
        #expect(try premium.state(of: id).status == .expired)
        _ = try premium.verify(
            try transaction(
                "2", to: .some(nil), changes: ["type": "\"Non-Consumable\"", "productId": "\"premium.lifetime\""]),
            by: id)
        let state = try premium.state(of: id)
        #expect((state.status, state.productID, state.expiresAt) == (.active, "premium.lifetime", nil))
    }

    @Test func refusesWhatGivesNoPremium() throws {
        let id = try account()
        for text in [
            try transaction(changes: ["type": "\"Consumable\""]), try transaction(to: .some(nil)),
            try transaction(changes: ["bundleId": "\"app.example.other\""]),
        ] {
            #expect(throws: SignatureRefusal.self) { try premium.verify(text, by: id) }
        }
        let choosy = try Self.store(accounts, signer, products: ["premium.lifetime"])
        #expect(throws: SignatureRefusal.self) { try choosy.verify(try transaction(), by: id) }
        #expect(try accounts.count("purchases") == 0)
    }

    @Test func takesAndIgnoresWhatIsNotAboutAPurchase() throws {
        let consumable = try transaction(changes: ["type": "\"Consumable\""])
        #expect(try premium.receive(try notification("TEST")) == .ignored)
        #expect(try premium.receive(try notification("SOMETHING_NEW", transaction: consumable)) == .ignored)
        #expect(
            try premium.receive(
                try notification(
                    "RENEWAL_EXTENSION",
                    changes: [
                        "data": nil,
                        "summary":
                            #"{"bundleId":"app.example.subguard","environment":"Production","succeededCount":5}"#,
                    ])) == .ignored)
        #expect(try premium.receive(try notification("EXTERNAL_PURCHASE_TOKEN", changes: ["data": nil])) == .ignored)
        #expect(try (accounts.count("purchases"), accounts.count("app_store_notifications")) == (0, 4))
        #expect(try premium.receive(try notification("SOMETHING_NEW", transaction: try transaction())) == .applied)
    }

    @Test func refusesANotificationWhoseInsideIsNotGood() throws {
        let stranger = try AppStoreSigner(now: seconds)
        let inside = try stranger.sign(sample.transaction())
        let otherRenewal = try signer.sign(sample.renewal(original: "99"))
        let sandbox = try transaction(changes: ["environment": "\"Sandbox\""])
        let bad: [String] = [
            try notification("DID_RENEW", transaction: inside), try notification("DID_RENEW", transaction: sandbox),
            try notification("DID_RENEW", transaction: "x"),
            try signer.sign(
                sample.notification("DID_RENEW", id: "1", transaction: try transaction(), renewal: otherRenewal)),
            try notification("DID_RENEW", changes: ["data": #"{"bundleId":"other","environment":"Production"}"#]),
            try notification("DID_RENEW", changes: ["data": #"{"bundleId":"app.example.subguard"}"#]),
            try notification("DID_RENEW", changes: ["notificationUUID": nil]),
            try notification("DID_RENEW", changes: ["notificationType": "7"]), try transaction(),
        ]
        for text in bad { #expect(throws: SignatureRefusal.self) { try premium.receive(text) } }
        #expect(try accounts.count("app_store_notifications") == 0)
        let numbered = try Self.store(accounts, signer, appID: 1_234_567_890)
        #expect(throws: SignatureRefusal.self) { try numbered.receive(try notification("TEST")) }
        let ours = #"{"bundleId":"app.example.subguard","environment":"Production","appAppleId":1234567890}"#
        #expect(try numbered.receive(try notification("TEST", changes: ["data": ours])) == .ignored)
    }

    @Test func forgetsWhatNobodyClaimed() throws {
        #expect(try premium.receive(try notification("SUBSCRIBED", transaction: try transaction("1"))) == .applied)
        let id = try account()
        _ = try premium.verify(try transaction("2"), by: id)
        wait(days: 90)
        #expect(try premium.purge() == 0)
        wait(days: 1)
        #expect(try premium.purge() == 1)
        #expect(try (accounts.count("purchases"), accounts.count("app_store_notifications")) == (2, 0))
        wait(days: 731 - 91)
        #expect(try premium.purge() == 0)
        wait(days: 1)
        #expect(try premium.purge() == 1)
        #expect(try accounts.count("purchases") == 1)
    }

    @Test func storesNoNumberOfApples() throws {
        let folder = try TemporaryFolder()
        let stored = try AccountFixture(path: folder.file("store.sqlite"))
        let tokens = try stored.signIn(nonce: "a")
        let id = try #require(try stored.accounts.authenticate(tokens.accessToken)).accountID
        _ = try Self.store(stored, signer).verify(try transaction("2000000987654321"), by: id)
        try stored.backend.store.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("store.sqlite")))
        #expect(bytes.range(of: Data("premium.yearly".utf8)) != nil)
        #expect(bytes.range(of: Data("2000000987654321".utf8)) == nil)
    }
}
