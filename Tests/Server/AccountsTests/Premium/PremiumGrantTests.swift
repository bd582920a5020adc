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

/// Premium that an operator gives to an account.
@Suite struct PremiumGrantTests {
    private let accounts: AccountFixture
    private let signer: AppStoreSigner
    private let premium: PremiumStore

    init() throws {
        accounts = try AccountFixture()
        signer = try AppStoreSigner(now: accounts.seconds)
        premium = PremiumStore(
            context: accounts.backend.context,
            messages: AppStoreMessages(
                rules: AppStoreMessages.Rules(
                    bundleID: "app.example.subguard", environments: [.production], appID: nil, productIDs: []),
                roots: try #require(AppStoreRoots(pem: [signer.rootPEM])), now: accounts.backend.context.now))
    }

    private let operatorZoe = Actor(tokenID: nil, name: "Zoé 🦊", requestID: "r-1")

    private func account(_ subject: String = "one") throws -> UUID {
        let tokens = try accounts.signIn(subject: subject, nonce: "\(subject) \(UUID())")
        return try #require(try accounts.accounts.authenticate(tokens.accessToken)).accountID
    }

    private var today: CalendarDay { accounts.backend.now.day }

    private func audit() throws -> [AuditChange] {
        try AuditLog(context: accounts.backend.context).list(after: nil, limit: 10).map(\.change)
    }

    /// Buys premium for the 29 days after now.
    private func buy(_ id: UUID) throws -> Premium {
        try premium.verify(try signer.sign(StoreSample(now: accounts.seconds).transaction()), by: id)
    }

    @Test func endsWithItsLastDay() throws {
        let id = try account()
        #expect(try premium.grant(id, until: today, note: nil, by: operatorZoe).premium.status == .active)
        let end = UTCInstant(startOf: today).adding(days: 1)
        let state = try premium.state(of: id)
        #expect((state.status, state.source, state.expiresAt) == (.active, .granted, end))
        #expect(state.productID == nil && state.environment == nil && state.accountID == id)
        accounts.backend.now = end.adding(milliseconds: -1)
        #expect(try premium.state(of: id).status == .active)
        accounts.backend.now = end
        let ended = try premium.state(of: id)
        #expect((ended.status, ended.source, ended.expiresAt) == (.expired, .granted, end))
    }

    @Test func survivesTheEndOfAPurchase() throws {
        let id = try account()
        let bought = try buy(id)
        #expect(bought.source == .appStore)
        let day = today.adding(days: 60)
        _ = try premium.grant(id, until: day, note: nil, by: operatorZoe)
        let end = UTCInstant(startOf: day).adding(days: 1)
        // Both give premium: it is told as bought, with the later end.
        let both = try premium.state(of: id)
        #expect((both.source, both.productID, both.expiresAt) == (.appStore, "premium.yearly", end))
        accounts.backend.now = accounts.backend.now.adding(days: 30)
        let given = try premium.state(of: id)
        #expect((given.status, given.source, given.expiresAt) == (.active, .granted, end))
        accounts.backend.now = accounts.backend.now.adding(days: 60)
        // The purchase is what both have left.
        let left = try premium.state(of: id)
        #expect((left.status, left.source, left.expiresAt) == (.expired, .appStore, bought.expiresAt))
    }

    @Test func aShorterGrantShortensNoPurchase() throws {
        let id = try account()
        let bought = try buy(id)
        _ = try premium.grant(id, until: today, note: nil, by: operatorZoe)
        #expect(try premium.state(of: id) == bought)
        try premium.revokeGrant(id, by: operatorZoe)
        #expect(try premium.state(of: id) == bought)
    }

    @Test func auditsEachChangeOnceWithoutTheNote() throws {
        let id = try account()
        let note = "Élodie’s 💐, \"42\""
        for _ in 0..<2 { _ = try premium.grant(id, until: today, note: note, by: operatorZoe) }
        #expect(try premium.account(id)?.grant?.note == note)
        _ = try premium.grant(id, until: today.adding(days: 1), note: note, by: operatorZoe)
        for _ in 0..<2 { try premium.revokeGrant(id, by: operatorZoe) }
        let changes = try audit()
        #expect(changes.map(\.action) == ["premium.revoke", "premium.grant", "premium.grant"])
        let (first, second) = (#"{"until":"\#(today)"}"#, #"{"until":"\#(today.adding(days: 1))"}"#)
        #expect(changes.map(\.before) == [second, first, nil])
        #expect(changes.map(\.after) == [nil, second, first])
        #expect(changes.allSatisfy { $0.subjectID == id && $0.actor.name == "Zoé 🦊" })
        #expect(try premium.state(of: id).status == .none)
    }

    @Test func refusesDaysThatAreNotAhead() throws {
        let id = try account()
        for day in [today.adding(days: -1), today.adding(days: PremiumGrant.maximumDays + 1)] {
            do {
                _ = try premium.grant(id, until: day, note: nil, by: operatorZoe)
                Issue.record("\(day) is accepted")
            } catch BackendError.invalid(let faults) {
                #expect(faults.map(\.pointer) == ["#/until"] && faults.map(\.code) == [.outOfRange])
            }
        }
        #expect(throws: BackendError.notFound(what: "account")) {
            try premium.grant(UUID(), until: today, note: nil, by: operatorZoe)
        }
        #expect(throws: BackendError.notFound(what: "account")) { try premium.revokeGrant(UUID(), by: operatorZoe) }
        #expect(try audit().isEmpty && accounts.count("premium_grants") == 0)
    }

    @Test func goesWithTheAccount() throws {
        let id = try account()
        _ = try premium.grant(id, until: today, note: "x", by: operatorZoe)
        let other = try account("two")
        _ = try premium.grant(other, until: today, note: nil, by: operatorZoe)
        try accounts.accounts.erase(id)
        #expect(try accounts.count("premium_grants") == 1)
        #expect(try premium.account(id) == nil)
        // Who signs in again begins without it.
        #expect(try premium.state(of: try account()).status == .none)
    }

    @Test func listsAccountsNewestFirst() throws {
        var ids: [UUID] = []
        for number in 0..<5 {
            accounts.backend.now = accounts.backend.now.adding(seconds: 1)
            ids.append(try account("s\(number)"))
        }
        _ = try premium.grant(ids[1], until: today, note: nil, by: operatorZoe)
        _ = try buy(ids[3])
        let all = try premium.accounts(after: nil, limit: 10)
        #expect(all.map(\.id) == ids.reversed())
        #expect(all.map(\.premium.source) == [nil, .appStore, nil, .granted, nil])
        #expect(try premium.accounts(after: ids[3], limit: 2).map(\.id) == [ids[2], ids[1]])
        #expect(try premium.accounts(after: nil, limit: 10, only: ids[1]).map(\.id) == [ids[1]])
        #expect(try premium.accounts(after: ids[1], limit: 10, only: ids[1]).isEmpty)
        #expect(Set(all.map(\.subjectHash)).count == 5 && all.allSatisfy { $0.subjectHash.count == 32 })
    }
}
