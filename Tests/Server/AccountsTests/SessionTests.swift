import Accounts
import BackendTestKit
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct SessionTests {
    private let fixture: AccountFixture
    private var accounts: AccountStore { fixture.accounts }

    init() throws { fixture = try AccountFixture() }

    private func wait(_ seconds: Int64) { fixture.backend.now = fixture.backend.now.adding(seconds: seconds) }

    private func opens(_ tokens: SessionTokens) throws -> Bool { try accounts.authenticate(tokens.accessToken) != nil }

    @Test func opensCallsForAnHour() throws {
        let tokens = try fixture.signIn(nonce: "a")
        wait(3599)
        #expect(try opens(tokens))
        wait(1)
        #expect(try !opens(tokens))
    }

    /// A clock that is set back must not make tokens last longer, but for what servers differ by.
    @Test func lastsNoLongerAfterAClockThatWasAhead() throws {
        let tokens = try fixture.signIn(nonce: "a")
        wait(-600)
        #expect(try opens(tokens))
        wait(-1)
        #expect(try !opens(tokens))
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(tokens.refreshToken) }
        wait(601)
        #expect(try opens(tokens))
        _ = try accounts.refresh(tokens.refreshToken)
    }

    @Test(arguments: [
        "", "sga_", "sgt_" + String(repeating: "A", count: 43), "sga_" + String(repeating: "A", count: 43),
    ])
    func opensNothingForOthers(_ token: String) throws {
        _ = try fixture.signIn(nonce: "a")
        #expect(try accounts.authenticate(token) == nil)
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(token) }
    }

    @Test func keepsTheTwoKindsApart() throws {
        let tokens = try fixture.signIn(nonce: "a")
        #expect(try accounts.authenticate(tokens.refreshToken) == nil)
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(tokens.accessToken) }
        #expect(try opens(tokens))
    }

    @Test func rotatesForAsLongAsSomebodyComesWithin90Days() throws {
        var tokens = try fixture.signIn(nonce: "a")
        for _ in 0..<5 {
            wait(90 * 86_400 - 1)
            tokens = try accounts.refresh(tokens.refreshToken)
            #expect(try opens(tokens))
            _ = try accounts.purge()
        }
        wait(90 * 86_400)
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(tokens.refreshToken) }
        _ = try accounts.purge()
        #expect(try (fixture.count("account_sessions"), fixture.count("session_tokens")) == (0, 0))
        #expect(try fixture.count("accounts") == 1)
    }

    @Test func endsTheSessionWhenASpentTokenComesAgain() throws {
        let first = try fixture.signIn(nonce: "a")
        let second = try accounts.refresh(first.refreshToken)
        let third = try accounts.refresh(second.refreshToken)
        #expect(try opens(third))
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(first.refreshToken) }
        #expect(try !opens(third))
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(third.refreshToken) }
    }

    @Test func leavesOtherSessionsAlone() throws {
        let phone = try fixture.signIn(nonce: "a")
        let tablet = try fixture.signIn(nonce: "b")
        _ = try accounts.refresh(try accounts.refresh(phone.refreshToken).refreshToken)
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(phone.refreshToken) }
        #expect(try opens(tablet))
        _ = try accounts.refresh(tablet.refreshToken)
    }

    /// One or more responses were lost: the device repeats the request with its old token.
    @Test func forgivesLostAnswersWithinAMinute() throws {
        let first = try fixture.signIn(nonce: "a")
        let second = try accounts.refresh(first.refreshToken)
        for _ in 0..<3 {
            wait(20)
            let again = try accounts.refresh(first.refreshToken)
            #expect(again.accessToken == second.accessToken && again.refreshToken == second.refreshToken)
        }
        #expect(accounts.repetitions.count == 3)
        #expect(try opens(second))
        let next = try accounts.refresh(second.refreshToken)
        #expect(try opens(next))
    }

    @Test func forgivesNothingAfterAMinute() throws {
        let first = try fixture.signIn(nonce: "a")
        let second = try accounts.refresh(first.refreshToken)
        wait(61)
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(first.refreshToken) }
        #expect(try !opens(second))
    }

    /// The app and its widget refresh at the same moment; the app is at work before the widget's request arrives.
    @Test func givesTwoProcessesOfADeviceTheSamePair() throws {
        let first = try fixture.signIn(nonce: "a")
        let app = try accounts.refresh(first.refreshToken)
        #expect(try opens(app))
        wait(30)
        let widget = try accounts.refresh(first.refreshToken)
        #expect(widget.refreshToken == app.refreshToken && widget.accessToken == app.accessToken)
        #expect(app.expiresIn == 3600 && widget.expiresIn == 3570)
        let next = try accounts.refresh(widget.refreshToken)
        #expect(next.refreshToken != app.refreshToken && next.accessToken != app.accessToken)
        #expect(try opens(next))
    }

    /// After the grace, a request with the old token comes from someone else.
    @Test func endsTheSessionAfterTheGrace() throws {
        let first = try fixture.signIn(nonce: "a")
        let second = try accounts.refresh(first.refreshToken)
        #expect(try opens(second))
        wait(31)
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(first.refreshToken) }
        #expect(try fixture.count("account_sessions") == 0)
    }

    /// A thief who shares the pair is detected by the next refresh of the owner, or by his own.
    @Test func endsTheSessionWhenThePairIsUsedByTwo() throws {
        let first = try fixture.signIn(nonce: "a")
        let shared = try accounts.refresh(first.refreshToken)
        #expect(try accounts.refresh(first.refreshToken).refreshToken == shared.refreshToken)
        let thiefs = try accounts.refresh(shared.refreshToken)
        // The first token is two generations old now, whatever the time.
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(first.refreshToken) }
        #expect(try !opens(thiefs))
    }

    @Test func takesAClockThatIsSetBackForNoMoreThanTheGrace() throws {
        let first = try fixture.signIn(nonce: "a")
        let second = try accounts.refresh(first.refreshToken)
        wait(-1)
        #expect(try accounts.refresh(first.refreshToken).refreshToken == second.refreshToken)
        wait(-60)
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(first.refreshToken) }
    }

    @Test func derivesDifferentTextsForBothTokens() throws {
        let second = try accounts.refresh(try fixture.signIn(nonce: "a").refreshToken)
        #expect(second.accessToken.dropFirst(4) != second.refreshToken.dropFirst(4))
        #expect(
            try !opens(
                SessionTokens(accessToken: "sga_" + second.refreshToken.dropFirst(4), refreshToken: "", expiresIn: 1)))
    }

    @Test func signsOutOneSessionForGood() throws {
        let tokens = try fixture.signIn(nonce: "a")
        let other = try fixture.signIn(nonce: "b")
        let session = try #require(try accounts.authenticate(tokens.accessToken))
        try accounts.signOut(session)
        try accounts.signOut(session)
        #expect(try !opens(tokens) && opens(other))
        #expect(throws: AccountRefusal.invalidRefreshToken) { try accounts.refresh(tokens.refreshToken) }
    }

    @Test func givesOneOfManyTheNextPair() throws {
        let tokens = try fixture.signIn(nonce: "a")
        let outcomes = OwnThread.each(of: 6) { [accounts] _ in try accounts.refresh(tokens.refreshToken) }
        let good = outcomes.compactMap { try? $0.get() }
        #expect(good.count == 6 && Set(good.map(\.refreshToken)).count == 1)
        #expect(try opens(good[0]))
    }
}
