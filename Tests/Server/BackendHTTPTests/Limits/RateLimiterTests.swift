import HTTPServer
import HTTPTypes
import SubGuardDomain
import TestKit
import Testing

@testable import BackendHTTP

@Suite struct RateLimiterTests {
    private let clock = ManualClock(now: 1_795_168_800_000)

    private func limiter(_ quotas: RateQuotas = RateQuotas()) -> RateLimiter {
        let clock = clock
        return RateLimiter(
            isEnabled: true, quotas: quotas, now: { UTCInstant(millisecondsSinceEpoch: clock.now) })
    }

    private func address(_ text: String) throws -> SocketAddress { try #require(SocketAddress(numeric: text)) }

    /// The number of single takes allowed before a rejection, at most `most`.
    private func allowed(
        _ limiter: RateLimiter, _ allowance: Allowance, _ address: SocketAddress, most: Int = 1000
    ) -> Int {
        for count in 0..<most where limiter.take(allowance, from: address)?.isAllowed != true { return count }
        return most
    }

    @Test func countsAnIPv6NetworkByThreeWidths() throws {
        let limiter = limiter()
        func guesses(_ text: String) throws -> Int { allowed(limiter, .credentials, try address(text)) }
        #expect(try guesses("2001:db8:0:100::1") == 30)
        #expect(try guesses("2001:db8:0:100::2") == 0, "the same /64")
        #expect(try guesses("2001:db8:0:101::1") == 30, "what the /64 was refused did not charge the /56")
        #expect(try guesses("2001:db8:0:102::1") == 0, "the /56 has had twice as much")
        #expect(try guesses("2001:db8:0:200::1") == 30)
        #expect(try guesses("2001:db8:0:300::1") == 30)
        #expect(try guesses("2001:db8:0:400::1") == 0, "the /48 has had four times as much")
        #expect(try guesses("2001:db8:1:100::1") == 30, "another /48")
        #expect(try guesses("203.0.113.7") == 30)
        #expect(try guesses("203.0.113.8") == 30, "IPv4 addresses stand for themselves")
        // The /64, the /56 and the /48 start with the same bits.
        let zero = try address("2001:db8:9::")
        #expect(allowed(limiter, .credentials, zero) == 30)
    }

    @Test func keepsAPartOfTheTotalForThoseWhoTakeLittle() throws {
        var quotas = RateQuotas()
        quotas.events = 6_000
        quotas.eventsInAll = 10_000
        let limiter = limiter(quotas)
        let busy = try (1...3).map { try address("203.0.113.\($0)") }
        let taken = busy.map { allowed(limiter, .events, $0, most: 10_000) }
        #expect(taken == [6_000, 2_000, 20], "a fifth is left, of which everybody has a little")
        let refusal = try #require(limiter.take(.events, from: busy[1], count: 1))
        #expect(!refusal.isAllowed && refusal.isOfAll)
        #expect(refusal.failure.fields[.retryAfter] != nil)
        #expect(allowed(limiter, .events, try address("198.51.100.1")) == 20)
        let preferred = RateLimiter.Cost(allowance: .events, count: 1_500, isPreferred: true)
        #expect(limiter.take([preferred], from: try address("198.51.100.2")) == nil)
        #expect(limiter.take([preferred], from: try address("198.51.100.3")) != nil, "the reserve has an end")
        // Restored allowance fills the reserve first.
        clock.advance(by: .seconds(6))
        #expect(allowed(limiter, .events, busy[1]) == 0)
        #expect(allowed(limiter, .events, try address("198.51.100.4")) == 20)
        clock.advance(by: .seconds(60))
        #expect(allowed(limiter, .events, busy[1]) > 0)
    }

    @Test func takesAllCostsOrNone() throws {
        var quotas = RateQuotas()
        quotas.newUsers = 5
        let limiter = limiter(quotas)
        let client = try address("203.0.113.7")
        let events = RateLimiter.Cost(allowance: .events, count: 100)
        let users = RateLimiter.Cost(allowance: .newUsers, count: 6)
        let refusal = try #require(limiter.take([events, users], from: client))
        #expect(refusal.allowance == .newUsers && !refusal.isOfAll)
        #expect(limiter.peek(.events, of: client)?.remaining == quotas.events)
        #expect(limiter.take([events, RateLimiter.Cost(allowance: .newUsers, count: 5)], from: client) == nil)
        #expect(limiter.peek(.events, of: client)?.remaining == quotas.events - 100)
        // Signed batches may use more of the same total.
        #expect(limiter.take([RateLimiter.Cost(allowance: .signedUsers, count: 50)], from: client) == nil)
    }

    @Test func aDebtIsPaidBeforeAnythingMoreIsTaken() throws {
        var quotas = RateQuotas()
        quotas.inflatedBytes = 600
        let limiter = limiter(quotas)
        let client = try address("203.0.113.7")
        #expect(limiter.take(.inflatedBytes, from: client)?.isAllowed == true)
        limiter.owe(.inflatedBytes, by: client, count: 1_800)
        let refusal = try #require(limiter.take(.inflatedBytes, from: client))
        #expect(!refusal.isAllowed && refusal.remaining == 0)
        clock.advance(by: .seconds(refusal.resetSeconds - 1))
        #expect(limiter.take(.inflatedBytes, from: client)?.isAllowed == false)
        clock.advance(by: .seconds(1))
        #expect(limiter.take(.inflatedBytes, from: client)?.isAllowed == true)
    }
}
