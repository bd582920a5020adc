import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct DueReminderTests {
    private func instant(_ text: String) throws -> UTCInstant { try #require(UTCInstant(rfc3339: text)) }

    private func planner(_ zone: String = "Europe/Paris", _ language: DisplayLanguage = .english) throws
        -> ReminderPlanner
    {
        ReminderPlanner(time: LocalTime(zone: try #require(TimeZone(identifier: zone))), language: language)
    }

    private func fact(
        _ event: ReminderFact.Event? = nil, on day: String = "2026-12-05", days: [Int] = [7, 1]
    ) throws -> ReminderFact {
        let amount = Money(minorUnits: 1234, currency: try #require(Currency(code: "EUR")))
        return ReminderFact(
            subscriptionID: SubscriptionFixture.id, name: "L'Équipe \"+\" 🎉", on: try SubscriptionFixture.day(day),
            event: event ?? .charge(amount), days: days)
    }

    private func due(
        _ facts: [ReminderFact], since: String = "2026-11-20T00:00:00Z", last: String? = nil, told: Set<String> = [],
        now: String, zone: String = "Europe/Paris", _ language: DisplayLanguage = .english
    ) throws -> [DueReminder] {
        try planner(zone, language).due(
            facts, ReminderRecord(told: told, since: try instant(since), lastRun: try last.map(instant)),
            now: try instant(now))
    }

    @Test func comesAtItsTimeAndNotBefore() throws {
        let facts = [try fact()]
        #expect(try due(facts, now: "2026-11-28T07:59:59Z").isEmpty)
        let first = try #require(try due(facts, now: "2026-11-28T08:00:00Z").first)
        #expect(first.id == "subscription-01020304-0506-0708-090a-0b0c0d0e0f10-2026-12-05-7")
        #expect(first.dueAt.rfc3339 == "2026-11-28T08:00:00Z" && first.kind == .charge)
        #expect(first.text == "L'Équipe \"+\" 🎉: €12.34 due in 7 days, on 2026-12-05")
        #expect(try due(facts, told: [first.id], now: "2026-12-03T10:00:00Z").isEmpty)
    }

    @Test func anEventIsToldOnceHoweverLateTheRunIs() throws {
        let both = try due([try fact()], now: "2026-12-04T10:00:00Z")
        #expect(both.map(\.message) == ["€12.34 due tomorrow"])
        #expect(both[0].supersedes == ["subscription-01020304-0506-0708-090a-0b0c0d0e0f10-2026-12-05-7"])
        // The later one was told: the earlier one, of a plan that was changed since, comes too late.
        #expect(try due([try fact()], told: [both[0].id], now: "2026-12-04T10:00:00Z").isEmpty)
    }

    @Test func nothingOlderThanTheBeginning() throws {
        let facts = [try fact(days: [3])]
        #expect(try due(facts, since: "2026-12-02T23:00:00Z", now: "2026-12-03T10:00:00Z").isEmpty)
        #expect(try due(facts, since: "2026-12-01T23:00:00Z", now: "2026-12-03T10:00:00Z").count == 1)
    }

    @Test func whatHasPassedIsToldWhenItBecameDueSinceTheLastRun() throws {
        let facts = [try fact(days: [1])]
        let late = try due(facts, last: "2026-12-03T10:00:00Z", now: "2026-12-09T10:00:00Z")
        #expect(late.map(\.message) == ["€12.34 was due on 2026-12-05, not confirmed"])
        #expect(try due(facts, last: "2026-12-06T10:00:00Z", now: "2026-12-09T10:00:00Z").isEmpty)
    }

    @Test(arguments: [
        // Clocks go forward on 2027-03-28 and back on 2026-10-25: nine o'clock stays nine o'clock.
        ("2027-03-28", "2027-03-28T06:59:59Z", "2027-03-28T07:00:00Z"),
        ("2026-10-25", "2026-10-25T07:59:59Z", "2026-10-25T08:00:00Z"),
        ("2028-02-29", "2028-02-29T07:59:59Z", "2028-02-29T08:00:00Z"),
    ])
    func theTimeOfDayIsLocal(_ day: String, _ before: String, _ at: String) throws {
        let facts = [try fact(on: day, days: [0])]
        #expect(try due(facts, since: "2026-01-01T00:00:00Z", now: before).isEmpty)
        #expect(try due(facts, since: "2026-01-01T00:00:00Z", now: at).map(\.message) == ["€12.34 due today"])
    }

    @Test func theWordsOfEachKind() throws {
        let euro = try #require(Currency(code: "EUR"))
        let (low, high) = (Money(minorUnits: 1349, currency: euro), Money(minorUnits: 1599, currency: euro))
        let budget = Budget(id: SubscriptionFixture.id, target: .all, limit: high, period: .month)
        let status = BudgetStatus(budget: budget, spent: low, expected: high)
        let events: [(ReminderFact.Event, String, String)] = [
            (
                .trialEnd(low), "trial ends tomorrow; first charge €13.49",
                "l’essai se termine demain ; premier prélèvement : 13,49 €"
            ),
            (.trialEnd(nil), "trial ends tomorrow", "l’essai se termine demain"),
            (
                .cancelBy(high), "last day to cancel is tomorrow; avoids €15.99",
                "dernier jour pour résilier demain ; évite 15,99 €"
            ),
            (
                .priceChange(from: low, to: high), "price rises from €13.49 to €15.99 tomorrow",
                "le prix augmente, de 13,49 € à 15,99 €, demain"
            ),
            (
                .budget(status, percent: 80), "80 % of the monthly budget reached: €13.49 of €15.99 spent",
                "80\u{202F}% du budget mensuel atteints : 13,49 € dépensés sur 15,99 €"
            ),
        ]
        for (event, english, french) in events {
            let facts = [try fact(event, days: [1])]
            let now = "2026-12-04T10:00:00Z"
            #expect(try due(facts, now: now).map(\.message) == [english])
            let said = try due(facts, now: now, .french).map { $0.message.replacing("\u{A0}", with: " ") }
            #expect(said == [french])
        }
        let ids = try events.map { try due([try fact($0.0, days: [1])], now: "2026-12-04T10:00:00Z")[0].id }
        let id = "01020304-0506-0708-090a-0b0c0d0e0f10"
        #expect(
            Set(ids) == [
                "subscription-\(id)-trial_end-2026-12-05-1", "subscription-\(id)-cancel_by-2026-12-05-1",
                "subscription-\(id)-price_change-2026-12-05-1", "budget-\(id)-2026-12-01-80",
            ])
    }

    @Test func deadlinesAreForThoseWhoMustActInTime() throws {
        let today = try SubscriptionFixture.day("2026-11-20")
        #expect(try SubscriptionFixture.make().cancelDeadline(today: today) == nil)
        let yearly = try SubscriptionFixture.make([.cycle: "yearly"])
        #expect(yearly.cancelDeadline(today: today)?.lastDay.iso == "2026-11-24")
        let notice = try SubscriptionFixture.make([.noticeDays: "2"])
        #expect(notice.cancelDeadline(today: today)?.lastDay.iso == "2026-11-22")
        let trial = try SubscriptionFixture.make([.trialEndsOn: "2026-12-10"])
        #expect(trial.cancelDeadline(today: today)?.lastDay.iso == "2026-12-09")
        #expect(trial.trialEnd(from: today)?.on.iso == "2026-12-10")
        #expect(trial.trialEnd(from: today)?.charge?.decimal == "13.49")
    }

    @Test func aNewPriceThatIsNeverChargedIsNoFact() throws {
        let (first, today) = (try SubscriptionFixture.day("2026-11-01"), try SubscriptionFixture.day("2026-11-20"))
        var subscription = try SubscriptionFixture.make()
        subscription.setPrice(1599, from: try SubscriptionFixture.day("2026-12-01"))
        let kinds = { subscription.reminderFacts(from: first, today: today, ReminderPolicy()).map(\.event.kind) }
        #expect(kinds() == [.priceChange])
        subscription.setState(.cancelled, from: try SubscriptionFixture.day("2026-11-30"))
        #expect(kinds().isEmpty)
    }
}
