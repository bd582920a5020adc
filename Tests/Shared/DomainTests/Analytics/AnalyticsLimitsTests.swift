import SubGuardDomain
import Testing

@Suite struct AnalyticsLimitsTests {
    @Test func takesTimestampsNearTheClock() throws {
        let now = try #require(UTCInstant(rfc3339: "2024-02-29T12:34:56.789Z"))
        let ahead = now.adding(seconds: 86_400)
        let behind = now.adding(days: -400)
        #expect(AnalyticsLimits.accepts(timestamp: now, receivedAt: now))
        #expect(AnalyticsLimits.accepts(timestamp: ahead, receivedAt: now))
        #expect(!AnalyticsLimits.accepts(timestamp: ahead.adding(milliseconds: 1), receivedAt: now))
        #expect(AnalyticsLimits.accepts(timestamp: behind, receivedAt: now))
        #expect(!AnalyticsLimits.accepts(timestamp: behind.adding(milliseconds: -1), receivedAt: now))
        #expect(behind.rfc3339 == "2023-01-25T12:34:56.789Z")
    }

    @Test func boundsABatch() {
        #expect(AnalyticsLimits.batchSize.contains(1))
        #expect(AnalyticsLimits.batchSize.contains(1000))
        #expect(!AnalyticsLimits.batchSize.contains(0))
        #expect(!AnalyticsLimits.batchSize.contains(1001))
    }

    @Test(arguments: [
        (String(repeating: "0a", count: 32), true), (String(repeating: "f", count: 64), true),
        (String(repeating: "F", count: 64), false),
        (String(repeating: "g", count: 64), false), (String(repeating: "a", count: 63), false),
        (String(repeating: "a", count: 65), false), ("", false),
        (String(repeating: "a", count: 63) + "\n", false), (String(repeating: "é", count: 32), false),
    ])
    func takesUserIdsOfSixtyFourDigits(_ text: String, _ isAccepted: Bool) {
        #expect(Array(text.utf8).withUnsafeBytes { AnalyticsLimits.isUserID($0) } == isAccepted)
    }
}
