import EventLog
import Foundation
import SubGuardContract
import SubGuardDomain
import Telemetry
import Testing

@testable import DeviceSimulation

struct HistoryTests {
    @Test func theSameSeedMakesTheSameEvents() {
        #expect(HistorySample.make().events == HistorySample.make().events)
    }

    @Test func anotherSeedMakesOtherDevicesAndOtherIds() {
        let (one, other) = (HistorySample.make(devices: 50).events, HistorySample.make(devices: 50, seed: 8).events)
        #expect(Set(one.map(\.id)).isDisjoint(with: other.map(\.id)))
        #expect(Set(one.map(\.userID)).isDisjoint(with: other.map(\.userID)))
    }

    @Test func moreDevicesLeaveTheFirstOnesAsTheyWere() {
        let few = Array(HistorySample.make(devices: 20))
        #expect(Array(HistorySample.make(devices: 60)).prefix(20).elementsEqual(few))
    }

    /// A run on another day, at another hour, with another catalogue sends only known events.
    @Test(arguments: 0..<7)
    func whenTheHistoryEndsDecidesNothingButTimestamps(daysLater: Int) {
        let end = HistorySample.leapDay.adding(days: 31 + daysLater).adding(seconds: 3600 * Int64(5 * daysLater))
        let now = HistorySample.make(devices: 120)
        let later = HistorySample.make(devices: 120, endsAt: end, catalogue: [])
        #expect(now.events.map(\.id).sorted() == later.events.map(\.id).sorted())
        #expect(now.events.map(\.userID) == later.events.map(\.userID))
        #expect(now.events.map(\.name) == later.events.map(\.name))
    }

    @Test(arguments: [(14, 400), (HistoryPlan.weeks.upperBound, 120)])
    func theServersRulesAcceptEveryEvent(weeks: Int, devices: Int) throws {
        let events = HistorySample.make(devices: devices, weeks: weeks).events
        let receivedAt = HistorySample.leapDay.adding(seconds: 2 * 3600)
        var seen: Set<String> = []
        for start in stride(from: 0, to: events.count, by: AnalyticsLimits.batchSize.upperBound) {
            let batch = events[start..<min(start + AnalyticsLimits.batchSize.upperBound, events.count)]
            let body = EventReports(events: batch).json()
            #expect(body.count < 1 << 20, "the server takes no larger body")
            let parsed = try EventParser.parse(body, receivedAt: receivedAt)
            #expect(parsed.rejected.isEmpty)
            #expect(parsed.events.map(\.id) == batch.map(\.id))
            #expect(parsed.events.map(\.timestamp) == batch.map(\.timestamp))
            seen.formUnion(parsed.events.map(\.definition.name))
        }
        #expect(seen == Set(EventRegistry.events.map(\.name)))
    }

    @Test func idsAreUniqueAndUsersAreHashes() {
        let history = Array(HistorySample.make())
        let events = history.flatMap { $0 }
        #expect(Set(events.map(\.id)).count == events.count)
        #expect(Set(events.map(\.userID)).count == history.count)
        #expect(history.allSatisfy { Set($0.map(\.userID)).count == 1 })
    }

    @Test func nothingHappensAfterTheEndOrBeforeTheDownload() {
        let history = HistorySample.make(devices: 2000)
        for events in history {
            #expect(events.first?.name == "app_downloaded")
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
            #expect((events.last?.timestamp).map { $0 <= HistorySample.leapDay } == true)
        }
    }
}
