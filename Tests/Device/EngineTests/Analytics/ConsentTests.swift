import Foundation
import SubGuardDomain
import SubGuardEngine
import Testing

@Suite struct ConsentTests {
    @Test func undecidedKeepsAndSendsNothing() throws {
        let fixture = try EngineFixture()
        try fixture.add()
        #expect(try fixture.store.analytics.consent() == .undecided)
        #expect(try fixture.store.analytics.nextBatch(limit: 10, for: "https://a.example", at: fixture.moment) == nil)
        #expect(try fixture.store.analytics.queueCounts().waiting == 2)
    }

    @Test func revokingEmptiesAsksForErasureAndTakesAnotherID() throws {
        let fixture = try EngineFixture()
        let store = fixture.store
        try fixture.add()
        try store.analytics.setConsent(.granted, at: fixture.moment)
        let before = try #require(
            try store.analytics.nextBatch(limit: 10, for: "https://a.example", at: fixture.moment)
        ).userID
        #expect(before.utf8.count == 64 && before.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        _ = try store.analytics.nextBatch(limit: 10, for: "https://b.example", at: fixture.moment)
        try store.analytics.setConsent(.revoked, at: fixture.moment)
        #expect(try store.analytics.queueCounts().waiting == 0)
        #expect(try store.analytics.erasures(for: "https://a.example") == [before])
        // Erasure is requested from each server that received events, and from no other.
        #expect(try store.analytics.erasures(for: "https://b.example") == [before])
        #expect(try store.analytics.erasures(for: "https://c.example") == [])
        try store.analytics.settleErasure(before, by: "https://b.example", at: fixture.moment)
        try fixture.add("Not recorded")
        try store.analytics.recordOpening(at: fixture.moment)
        #expect(try store.analytics.queueCounts().waiting == 0)
        // Repeated: there is nothing more to erase.
        try store.analytics.setConsent(.revoked, at: fixture.moment)
        #expect(try store.analytics.erasures(for: "https://a.example") == [before])
        try store.analytics.setConsent(.granted, at: fixture.moment)
        try fixture.add("Recorded")
        let after = try #require(try store.analytics.nextBatch(limit: 10, for: "https://a.example", at: fixture.moment))
        #expect(after.userID != before)
        // A later subscription is not reported as the first one.
        #expect(after.entries.map(\.name) == ["subscription_added"])
        try store.analytics.settleErasure(before, by: "https://a.example", at: fixture.moment)
        #expect(try store.analytics.pendingErasures() == 0)
    }

    @Test func whereNothingWasSentNothingIsToBeForgotten() throws {
        let fixture = try EngineFixture()
        try fixture.add()
        try fixture.store.analytics.setConsent(.revoked, at: fixture.moment)
        #expect(try fixture.store.analytics.pendingErasures() == 0)
    }

    @Test func theEnvironmentDecidesForOneProcessAlone() throws {
        let fixture = try EngineFixture()
        let told = { (consent: AnalyticsConsent) in
            try DeviceStore(path: fixture.store.path, now: fixture.moment.now, consent: consent)
        }
        let silent = try told(.revoked)
        try silent.analytics.recordOpening(at: fixture.moment)
        #expect(try fixture.store.analytics.queueCounts().waiting == 0)
        try fixture.add()
        #expect(try fixture.store.analytics.consent() == .undecided)
        #expect(
            try told(.granted).analytics.nextBatch(limit: 10, for: "https://a.example", at: fixture.moment)?.entries
                .count == 2)
        #expect(try fixture.store.analytics.nextBatch(limit: 10, for: "https://a.example", at: fixture.moment) == nil)
    }

    @Test func theAnonymousIDIsTheStoresOwn() throws {
        let one = try EngineFixture(seed: 1)
        try one.add()
        try one.store.analytics.setConsent(.granted, at: one.moment)
        let first = try #require(try one.store.analytics.nextBatch(limit: 10, for: "https://a.example", at: one.moment))
            .userID
        let two = try EngineFixture(seed: 2)
        try two.store.backups.restore(try one.backup(), at: two.moment)
        try two.add("Another")
        try two.store.analytics.setConsent(.granted, at: two.moment)
        #expect(
            try #require(try two.store.analytics.nextBatch(limit: 10, for: "https://a.example", at: two.moment)).userID
                != first)
        #expect(try one.store.analytics.nextBatch(limit: 10, for: "https://a.example", at: one.moment)?.userID == first)
    }
}
