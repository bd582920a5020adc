import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct QuickEntryTests {
    /// The first reading as `name|amount|cycle|next`.
    private func first(_ line: String) throws -> String? {
        let today = try SubscriptionFixture.day("2026-11-20")
        return QuickEntry.readings(of: line).first.map { entry in
            [entry.name, entry.amount ?? "", entry.cycle ?? "", entry.next?.day(today: today).iso ?? ""]
                .joined(separator: "|")
        }
    }

    @Test(
        arguments: [
            ("netflx 13,49", "netflx|13,49||"), ("  Netflix  ", "Netflix|||"),
            ("Le Monde 12,99 €/mois le 15 janvier", "Le Monde|12,99 €|monthly|2027-01-15"),
            ("Spotify $9.99 every 2 weeks", "Spotify|$9.99|biweekly|"),
            ("Prime annuel 69,90€ 31/12/2026", "Prime|69,90€|yearly|2026-12-31"),
            ("Loyer 1 234,5 EUR", "Loyer|1 234,5 EUR||"), ("1&1 9,99", "1&1|9,99||"), ("Canal+ 24", "Canal+|24||"),
            ("Gym 20 /mois", "Gym|20|monthly|"), ("Gym 20 tous les 2 mois", "Gym|20|every:2m|"),
            ("AC/DC Fan Club 5 EUR/an", "AC/DC Fan Club|5 EUR|yearly|"),
            ("Zoé's \"Gym\" 🎉 20 demain", "Zoé's \"Gym\" 🎉|20||2026-11-21"),
            ("Office 365 7 €", "Office 365|7 €||"), ("13,49", "13,49|||"),
        ])
    func readsWhatFollowsTheName(_ line: String, _ expected: String) throws {
        #expect(try first(line) == expected)
    }

    @Test func givesAllReadingsAndNeverLosesAWord() {
        #expect(QuickEntry.readings(of: "Office 365").map(\.name) == ["Office", "Office 365"])
        #expect(QuickEntry.readings(of: "USA Today 9.99").map(\.name) == ["USA", "USA Today", "USA Today 9.99"])
        #expect(QuickEntry.readings(of: "   ").isEmpty)
        // Two amounts have no meaning, so all of it is the name.
        #expect(QuickEntry.readings(of: "A 5 6 7").first?.name == "A 5 6")
        let long = Array(repeating: "7", count: 500).joined(separator: " ")
        #expect(QuickEntry.readings(of: long).map(\.name) == [long])
    }

    @Test func allFieldsWithAFaultAreNamed() throws {
        let today = try SubscriptionFixture.day("2026-11-20")
        let now = UTCInstant(secondsSinceEpoch: 0)
        let draft: SubscriptionDraft = [
            .name: " ", .amount: "-1", .currency: "EUR", .cycle: "sometimes", .nextBillingOn: "2026-02-30",
            .color: "red", .website: "javascript:1", .noticeDays: "-3", .remind: "x",
        ]
        let faults = Subscription.faults(making: draft, id: UUID(), today: today, now: now)
        #expect(
            Set(faults.map(\.pointer)) == [
                "name", "amount", "cycle", "next_billing_on", "color", "website", "notice_days", "remind",
            ])
        #expect(faults.keptCount == 8)
        #expect(
            Subscription.faults(making: [:], id: UUID(), today: today, now: now).map(\.pointer).sorted() == [
                "amount", "currency", "cycle", "name", "next_billing_on",
            ])
        let subscription = try SubscriptionFixture.make()
        let edits: SubscriptionDraft = [.amount: "1.234", .color: "x", .name: "", .notes: "fine"]
        #expect(
            Set(subscription.faults(editing: edits, today: today).map(\.pointer)) == ["amount", "color", "name"])
        #expect(subscription.faults(editing: [.notes: "fine"], today: today).isEmpty)
    }
}
