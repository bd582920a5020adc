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

@Suite struct AccountErasureTests {
    private let fixture: AccountFixture

    init() throws { fixture = try AccountFixture() }

    private func session(_ nonce: String, subject: String = "001234.0a1b2c3d.0123") throws -> AccountSession {
        let tokens = try fixture.signIn(subject: subject, nonce: nonce)
        return try #require(try fixture.accounts.authenticate(tokens.accessToken))
    }

    private func notification(
        _ event: String, id: String, changes: [String: String?] = [:]
    ) throws -> String {
        try AccountFixture.first.get().token(
            AppleIssuer.claims(
                nonce: "", issuedAt: fixture.seconds,
                changes: ["jti": "\"\(id)\"", "events": event, "nonce": nil, "sub": nil].merging(changes) { $1 }))
    }

    /// In Apple's format: JSON in a string.
    private func event(_ type: String, _ subject: String = "001234.0a1b2c3d.0123") -> String {
        #""{\"type\":\"\#(type)\",\"sub\":\"\#(subject)\",\"event_time\":1763630000000,\"email\":\"a@b.example\"}""#
    }

    private func receive(_ text: String) throws -> AccountNotificationOutcome {
        try fixture.accounts.receive(text, identity: fixture.identity)
    }

    @Test func leavesNothingThatNamesTheAccount() throws {
        let mine = try session("a")
        _ = try session("b")
        let other = try session("c", subject: "another")
        let hash = SQLValue.blob([UInt8](repeating: 1, count: 32))
        try fixture.backend.store.write { transaction in
            try transaction.execute(
                """
                INSERT INTO purchases (purchase_hash, account_id, product_id, is_family_shared, purchased_at, is_refund,
                    is_upgraded, is_in_billing_retry, transaction_signed_at, updated_at)
                VALUES (?, ?, 'p', 0, 0, 0, 0, 0, 0, 0)
                """, [hash, .blob(withUnsafeBytes(of: mine.accountID.uuid) { Array($0) })])
        }
        try fixture.accounts.erase(mine.accountID)
        try fixture.accounts.erase(mine.accountID)
        #expect(try (fixture.count("accounts"), fixture.count("account_sessions")) == (1, 1))
        #expect(try fixture.count("session_tokens") == 2)
        // The App Store's state of the purchase is kept, without an account.
        #expect(try (fixture.count("purchases"), fixture.count("purchases WHERE account_id IS NULL")) == (1, 1))
        let again = try session("d")
        #expect(again.accountID != mine.accountID && again.accountID != other.accountID)
    }

    @Test(arguments: ["consent-revoked", "account-deleted", "account-delete"])
    func erasesByApplesWord(_ type: String) throws {
        _ = try session("a")
        _ = try session("b", subject: "another")
        let text = try notification(event(type), id: "j-1")
        #expect(try receive(text) == .erased)
        #expect(try fixture.count("accounts") == 1)
        // A new account is not erased by an old notification.
        _ = try session("c")
        #expect(try receive(text) == .duplicate)
        #expect(try fixture.count("accounts") == 2)
        fixture.backend.now = fixture.backend.now.adding(days: 29)
        _ = try fixture.accounts.purge()
        #expect(try fixture.count("spent_proofs") == 1)
    }

    @Test(arguments: ["email-enabled", "email-disabled", "something-new", ""])
    func passesOverTheOthers(_ type: String) throws {
        _ = try session("a")
        #expect(try receive(try notification(event(type), id: "j-1")) == .ignored)
        #expect(try fixture.count("accounts") == 1)
    }

    @Test func takesPlainJSONAndUnknownPeopleToo() throws {
        #expect(try receive(try notification(event("account-deleted"), id: "j-0")) == .unknownAccount)
        _ = try session("a")
        #expect(try receive(try notification(event("account-deleted", "nobody"), id: "j-1")) == .unknownAccount)
        let plain = #"{"type":"account-deleted","sub":"001234.0a1b2c3d.0123"}"#
        #expect(try receive(try notification(plain, id: "j-2")) == .erased)
    }

    @Test(
        arguments: [
            ["jti": nil], ["events": nil], ["events": "\"{\""], ["events": "7"], ["aud": "\"app.example.other\""],
            ["iss": "\"x\""], ["exp": "1"],
        ] as [[String: String?]])
    func refusesWhatIsNotApples(_ changes: [String: String?]) throws {
        _ = try session("a")
        let text = try notification(event("account-deleted"), id: "j-1", changes: changes)
        #expect(throws: SignatureRefusal.self) { try receive(text) }
        #expect(try fixture.count("accounts") == 1)
    }
}
