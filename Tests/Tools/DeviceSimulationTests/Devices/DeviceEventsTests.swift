import JSONWire
import SubGuardContract
import Testing

@testable import DeviceSimulation

@Suite struct DeviceEventsTests {
    private static let item = "018f3c2a-7b1e-7c3d-9a4f-0123456789ab"
    private let day = DeviceLife.day

    private func names(_ events: DeviceEvents) -> [String] { events.waiting.map(\.report.name) }

    @Test func theFirstOpeningIsADownloadAndEachDayOpensOnce() {
        var events = DeviceEvents(seed: 1, number: 1)
        events.opened(at: 5 * day + 1)
        events.opened(at: 5 * day + 2)
        events.opened(at: 6 * day)
        #expect(names(events) == ["app_downloaded", "app_opened", "app_opened", "retention_d1"])
    }

    @Test func retentionCountsFromTheFirstDayOfItsOwn() {
        var events = DeviceEvents(seed: 1, number: 1)
        // Joined in the last millisecond of a day: the next day begins at once.
        events.opened(at: 3 * day - 1)
        for age in [2, 6, 7, 8, 30, 31] { events.opened(at: Int64(2 + age) * day) }
        #expect(names(events).filter { $0.hasPrefix("retention") } == ["retention_d7", "retention_d30"])
    }

    @Test func milestonesComeOnceHoweverOftenTheyAreReached() {
        var events = DeviceEvents(seed: 1, number: 1)
        for _ in 0..<3 {
            for _ in 0..<5 { events.added(Self.item, at: 0) }
            for _ in 0..<5 { events.removed(0, at: 0) }
            events.converted(to: "yearly", at: 0)
        }
        let counts = Dictionary(names(events).map { ($0, 1) }, uniquingKeysWith: +)
        #expect(
            counts == [
                "subscription_added": 15, "subscription_removed": 15, "first_subscription_added": 1,
                "five_subscriptions_reached": 1, "premium_conversion": 1,
            ])
        #expect(events.recorded == 33)
        #expect(events.subscriptions.isEmpty)
    }

    @Test func aRemovalNamesTheItemOfTheSubscription() {
        var events = DeviceEvents(seed: 1, number: 1)
        events.added(nil, at: 0)
        events.added(Self.item, at: 0)
        events.removed(1, at: 1)
        events.removed(0, at: 2)
        events.removed(0, at: 3)
        let removals = events.waiting.map(\.report).filter { $0.name == "subscription_removed" }
        #expect(removals.map { $0.properties["catalogue_item_id"]?.stringValue } == [Self.item, nil])
    }

    @Test func whatIsKnownForCertainStaysKnown() {
        var events = DeviceEvents(seed: 1, number: 1)
        for _ in 0..<3 { events.added(nil, at: 0) }
        events.mark(first: 1, .known)
        events.mark(first: 2, .unclear)
        #expect(events.waiting.prefix(3).map(\.standing) == [.known, .unclear, .new])
        #expect(events.settle(first: 2).count == 2)
        #expect(events.waiting.count == 2)
        #expect(events.settle(first: 1000).count == 2)
    }
}
