import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain
import Testing

@testable import DeviceSimulation

struct HistoryLifeTests {
    private static let allLives = Array(HistorySample.make(devices: 1500))
    private let lives = Self.allLives

    @Test func milestonesHappenOnce() {
        let milestones = EventRegistry.events.filter(\.countsOncePerUser).map(\.name)
        for life in lives {
            for name in milestones { #expect(life.count(of: name) <= 1) }
        }
    }

    @Test func milestonesOfSubscriptionsFollowTheirCount() {
        for life in lives {
            var (held, most) = (0, 0)
            for event in life where event.name.hasPrefix("subscription_") {
                held += event.name == "subscription_added" ? 1 : -1
                most = max(most, held)
            }
            #expect(life.count(of: "first_subscription_added") == (most > 0 ? 1 : 0))
            #expect(life.count(of: "five_subscriptions_reached") == (most >= 5 ? 1 : 0))
            // The sixth concurrent subscription requires premium.
            #expect(life.count(of: "premium_conversion") == (most > 5 ? 1 : 0))
        }
    }

    @Test func nothingIsRemovedThatWasNotThere() {
        var removals = 0
        for life in lives {
            var present: [String: Int] = [:]
            for event in life where event.name.hasPrefix("subscription_") {
                let item = event.properties["catalogue_item_id"]?.stringValue ?? "by hand"
                present[item, default: 0] += event.name == "subscription_added" ? 1 : -1
                removals += event.name == "subscription_removed" ? 1 : 0
                #expect((present[item] ?? 0) >= 0)
                if item != "by hand" { #expect((present[item] ?? 0) <= 1) }
            }
        }
        #expect(removals > 50)
    }

    @Test func retentionIsAnOpeningOnThatVeryDay() {
        for life in lives {
            for (name, days) in [("retention_d1", 1), ("retention_d7", 7), ("retention_d30", 30)] {
                guard let milestone = life.first(named: name) else { continue }
                #expect(life.contains { $0.name == "app_opened" && $0.timestamp == milestone.timestamp })
                let hours = life[0].timestamp.milliseconds(until: milestone.timestamp) / 3_600_000
                // The hour is arbitrary on both days, and a sign-up may have been moved off a weekend.
                #expect(hours >= Int64(days - 1) * 24 && hours <= Int64(days + 1 + 5) * 24)
            }
        }
    }

    @Test func onlyItemsOfTheCatalogueAreNamed() {
        let ids = Set(HistorySample.catalogue.map(\.lowercased))
        let named = lives.joined().compactMap { $0.properties["catalogue_item_id"]?.stringValue }
        #expect(named.allSatisfy(ids.contains))
        #expect(Set(named).count > 100)
    }
}
