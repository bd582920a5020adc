import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct ReminderTests {
    private func planner(_ zone: String, at minute: Int = 540) throws -> ReminderPlanner {
        var policy = ReminderPolicy()
        policy.minuteOfDay = minute
        return ReminderPlanner(policy: policy, time: LocalTime(zone: try #require(TimeZone(identifier: zone))))
    }

    private func instant(_ text: String) throws -> UTCInstant { try #require(UTCInstant(rfc3339: text)) }

    @Test func eachOffsetComesOnceWithAnIDOfItsOwn() throws {
        let subscription = try SubscriptionFixture.make([.nextBillingOn: "2026-12-05", .remind: "1,7,1"])
        let found = try planner("Europe/Paris").next(subscription, now: try instant("2026-11-20T10:00:00Z"))
        #expect(found.map(\.fireAt.rfc3339) == ["2026-11-28T08:00:00Z", "2026-12-04T08:00:00Z"])
        #expect(
            found.map(\.id) == [
                "subscription-01020304-0506-0708-090a-0b0c0d0e0f10-2026-12-05-7",
                "subscription-01020304-0506-0708-090a-0b0c0d0e0f10-2026-12-05-1",
            ])
        #expect(found.allSatisfy { !$0.title.contains("13") && $0.title.contains("Netflix") })
    }

    @Test func whatIsSettledOrPastRemindsOfTheNextOne() throws {
        let subscription = try SubscriptionFixture.make([.nextBillingOn: "2026-12-05", .remind: "7,1"])
        let planner = try planner("Europe/Paris")
        let settled = planner.next(
            subscription, now: try instant("2026-11-20T10:00:00Z"), settled: [try SubscriptionFixture.day("2026-12-05")]
        )
        #expect(settled.map(\.occurrence.billingOn.iso) == ["2027-01-05", "2027-01-05"])
        let half = planner.next(subscription, now: try instant("2026-12-01T10:00:00Z"))
        #expect(half.map(\.offsetDays) == [1])
    }

    @Test func noOffsetNoReminder() throws {
        let none = try SubscriptionFixture.make([.remind: ""])
        #expect(try planner("UTC").next(none, now: try instant("2026-11-20T10:00:00Z")).isEmpty)
        // The default is three days before.
        let usual = try SubscriptionFixture.make()
        #expect(try planner("UTC").next(usual, now: try instant("2026-11-20T10:00:00Z")).map(\.offsetDays) == [3])
    }

    @Test(arguments: [
        // Clocks go forward on 2027-03-28 in Paris: 02:30 does not exist and becomes 03:00.
        ("Europe/Paris", "2027-03-28", 150, "2027-03-28T01:00:00Z"),
        ("Europe/Paris", "2027-03-28", 540, "2027-03-28T07:00:00Z"),
        // Clocks go back on 2026-10-25: 02:30 occurs twice, and the first one counts.
        ("Europe/Paris", "2026-10-25", 150, "2026-10-25T00:30:00Z"),
        ("America/Sao_Paulo", "2018-11-04", 0, "2018-11-04T03:00:00Z"),
        ("Pacific/Apia", "2011-12-31", 540, "2011-12-30T19:00:00Z"),
        ("Asia/Kathmandu", "2026-11-20", 540, "2026-11-20T03:15:00Z"),
    ])
    func localTimesBecomeMoments(_ zone: String, _ day: String, _ minute: Int, _ expected: String) throws {
        let time = LocalTime(zone: try #require(TimeZone(identifier: zone)))
        #expect(time.instant(on: try SubscriptionFixture.day(day), minuteOfDay: minute).rfc3339 == expected)
    }

    @Test func quietHoursMoveNoReminderToAnotherDay() throws {
        let subscription = try SubscriptionFixture.make([.nextBillingOn: "2026-12-05", .remind: "1"])
        let now = try instant("2026-11-20T10:00:00Z")
        let late = try planner("UTC", at: 23 * 60).next(subscription, now: now)
        #expect(late.map(\.fireAt.rfc3339) == ["2026-12-04T21:59:00Z"])
        let today = try SubscriptionFixture.make([.nextBillingOn: "2026-12-05", .remind: "0"])
        #expect(
            try planner("UTC", at: 23 * 60).next(today, now: now).map(\.fireAt.rfc3339) == ["2026-12-05T21:59:00Z"])
        let early = try planner("UTC", at: 6 * 60).next(subscription, now: now)
        #expect(early.map(\.fireAt.rfc3339) == ["2026-12-04T08:00:00Z"])
    }

    @Test func everyLocalDayBeginsInItself() throws {
        var random = SeededRandom(seed: 5)
        let zones = [
            "Europe/Paris", "America/Sao_Paulo", "Asia/Tehran", "Australia/Lord_Howe", "Africa/Casablanca", "UTC",
        ]
        for _ in 0..<2000 {
            let zone = try #require(TimeZone(identifier: zones[Int.random(in: zones.indices, using: &random)]))
            let time = LocalTime(zone: zone)
            let day = try #require(CalendarDay(daysSinceEpoch: Int.random(in: 11_000...22_000, using: &random)))
            let start = time.start(of: day)
            #expect(time.day(at: start) == day, "\(zone.identifier) \(day)")
            #expect(time.day(at: start.adding(milliseconds: -1)) == day.adding(days: -1), "\(zone.identifier) \(day)")
        }
    }

    @Test func theWidgetChangesAtMidnight() throws {
        let time = LocalTime(zone: try #require(TimeZone(identifier: "Europe/Paris")))
        let moments = WidgetTimeline.moments(from: try instant("2026-11-20T10:00:00Z"), time: time)
        #expect(moments.map(\.rfc3339) == ["2026-11-20T10:00:00Z", "2026-11-20T23:00:00Z"])
        let midnight = WidgetTimeline.moments(from: try instant("2026-11-20T23:00:00Z"), time: time)
        #expect(midnight.map(\.rfc3339) == ["2026-11-20T23:00:00Z"])
        // On a day of 23 hours the next midnight is less than 24 hours away.
        let short = WidgetTimeline.moments(from: try instant("2027-03-27T23:00:00Z"), time: time)
        #expect(short.map(\.rfc3339) == ["2027-03-27T23:00:00Z", "2027-03-28T22:00:00Z"])
        #expect(WidgetFamily.allCases.map(\.maximumPayments) == [1, 3, 5])
    }
}
