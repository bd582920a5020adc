import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct QuickEntryTests {
    /// The first reading as `name|amount|cycle|next`.
    private func first(_ line: String) throws -> String? {
        let today = try SubscriptionFixture.day("2026-11-20")
        return QuickEntry.readings(of: line).first.map { entry in
            ([
                entry.name, entry.amount ?? "", entry.cycle ?? "",
                entry.next?.day(today: today).iso ?? entry.impossibleDate ?? "",
            ] + (entry.trialEnd.map { ["trial to " + $0.day(today: today).iso] } ?? [])).joined(separator: "|")
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
            // A date with a number of days, weeks or months is no cycle.
            ("Trim 5 quarterly in 3 days", "Trim|5|quarterly|2026-11-23"),
            ("Tri 5 monthly in 2 weeks", "Tri|5|monthly|2026-12-04"),
            ("Tri 5 trimestriel dans 2 mois", "Tri|5|quarterly|2027-01-20"),
            ("Tri 5 mensuel dans 10 jours", "Tri|5|monthly|2026-11-30"),
            ("Tri 5 in 3 days every 2 weeks", "Tri|5|biweekly|2026-11-23"),
            ("Essai 10 mensuel essai 14 jours", "Essai|10|monthly||trial to 2026-12-04"),
            ("Tri 10 monthly free trial until 15 January", "Tri|10|monthly||trial to 2027-01-15"),
            ("Tri 10 mensuel essai gratuit de 14 jours", "Tri|10|monthly||trial to 2026-12-04"),
            ("Tri 14-day trial 10 monthly", "Tri|10|monthly||trial to 2026-12-04"),
            ("Tr 10 €/month trial 14 days", "Tr|10 €|monthly||trial to 2026-12-04"),
            ("Tr 10€/mois essai 14 jours", "Tr|10€|monthly||trial to 2026-12-04"),
            ("Tr 10/month trial 14 days", "Tr|10|monthly||trial to 2026-12-04"),
            ("Tr 10 €/mois 29 février 2027", "Tr|10 €|monthly|29 février 2027"),
            ("X mensuel 31 juin 10", "X|10|monthly|31 juin"), ("X 10 mensuel 31/04", "X|10|monthly|31/04"),
            ("X 10 mensuel le 31/02/2027", "X|10|monthly|le 31/02/2027"),
            ("X 10 mensuel 29 février", "X|10|monthly|2028-02-29"),
            ("The Trial 10 monthly", "The Trial|10|monthly|"),
            // What is no day is named as such, not read as an amount and a cycle.
            ("Bad2 12 monthly 31/02/2027", "Bad2|12|monthly|31/02/2027"),
            ("Bad 12 monthly 2027-02-30", "Bad|12|monthly|2027-02-30"), ("1/2 10 monthly", "1/2|10|monthly|"),
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
