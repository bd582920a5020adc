import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// When a new subscription is charged, from its last charge or the day of the month.
@Suite struct FirstChargeTests {
    private static let now = "2026-11-30T10:00:00Z"

    /// The form as a browser sends it, with what a person types.
    private func form(_ app: AppFixture, _ typed: [(String, String)]) throws -> [(String, String)] {
        let page = try app.get("/add?name=O'Neil%20%E2%80%9C31%E2%80%9D").text
        let filled = PageForm.changed(
            try PageForm.fields(page, "add"), [("amount", "9,99"), ("currency", "EUR")])
        return PageForm.changed(filled, typed)
    }

    /// The coming charges of what the form adds.
    private func charges(
        _ app: AppFixture, _ typed: [(String, String)], through last: String = "2027-03-31"
    ) throws -> [String] {
        let added = try app.post("/add", form(app, typed))
        #expect(added.status == 303, "\(typed)")
        let id = try #require(try app.store.subscriptions.all().last?.id)
        defer { _ = try? app.store.subscriptions.delete(id, at: app.moment) }
        return try app.store.ledger.occurrences(
            from: app.moment.today, through: try #require(CalendarDay(iso: last)), at: app.moment
        ).map(\.billingOn.iso)
    }

    @Test func the31stReturnsAfterAShorterMonth() throws {
        let app = try AppFixture(Self.now)
        let months = ["2026-11-30", "2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31"]
        #expect(try charges(app, [("day_of_month", "31")]) == months)
        #expect(try charges(app, [("last_charge", "2026-10-31")]) == months)
        #expect(try charges(app, [("last_charge", "2026-10-31"), ("day_of_month", "31")]) == months)
        #expect(
            try charges(app, [("last_charge", "2026-11-30"), ("day_of_month", "31")]) == Array(months.dropFirst()))
        #expect(
            try charges(app, [("last_charge", "2026-11-30")])
                == ["2026-12-30", "2027-01-30", "2027-02-28", "2027-03-30"])
        #expect(
            try charges(app, [("cycle", "yearly"), ("last_charge", "2024-02-29")], through: "2028-12-31")
                == ["2027-02-28", "2028-02-29"])
        #expect(
            try charges(app, [("cycle", "quarterly"), ("day_of_month", "31")], through: "2027-08-31")
                == ["2026-11-30", "2027-02-28", "2027-05-31", "2027-08-31"])
    }

    @Test func aChargeOfTodayKeepsItsDay() throws {
        let app = try AppFixture("2026-10-31T10:00:00Z")
        let months = ["2026-10-31", "2026-11-30", "2026-12-31"]
        #expect(try charges(app, [("last_charge", "2026-10-31")], through: "2026-12-31") == months)
        // It was charged, also beside the next charge that follows.
        let both = [("last_charge", "2026-10-31"), ("next_billing_on", "2026-11-30")]
        #expect(try app.post("/add", form(app, both)).status == 303)
        #expect(try app.store.ledger.pending(at: app.moment).isEmpty)
        let later = try AppFixture("2026-10-15T10:00:00Z")
        #expect(
            try charges(later, [("last_charge", "2026-10-15")], through: "2026-12-31") == ["2026-11-15", "2026-12-15"])
    }

    @Test func whatWasBoughtOnceIsNotChargedAgain() throws {
        let app = try AppFixture(Self.now)
        #expect(try charges(app, [("cycle", "lifetime"), ("last_charge", "2026-10-31")]) == [])
    }

    @Test func answersThatContradictEachOtherAreRefused() throws {
        let app = try AppFixture(Self.now)
        let wrong: [([(String, String)], String)] = [
            ([("last_charge", "2026-11-12"), ("day_of_month", "5")], "day_of_month"),
            ([("last_charge", "2026-11-12"), ("next_billing_on", "2026-12-20")], "last_charge"),
            ([("day_of_month", "5"), ("next_billing_on", "2026-12-20")], "day_of_month"),
        ]
        for (typed, field) in wrong {
            let refused = try app.post("/add", form(app, typed))
            #expect(refused.status == 422 && refused.text.contains("id=\"\(field)-fault\""), "\(typed)")
            for (name, value) in typed { #expect(refused.text.contains("value=\"\(value)\""), "\(name)") }
        }
        #expect(try app.names() == [])
        #expect(try charges(app, [("day_of_month", "5"), ("next_billing_on", "2026-12-05")]).first == "2026-12-05")
        let last = [("last_charge", "2026-11-12"), ("day_of_month", "12"), ("next_billing_on", "2026-12-12")]
        #expect(try charges(app, last).first == "2026-12-12")
        // The page of a refused form still assumes what it has assumed.
        let refused = try app.post("/add", form(app, [("amount", "x"), ("last_charge", "2026-10-31")])).text
        let again = PageForm.changed(
            try PageForm.fields(refused, "add"), [("amount", "5"), ("last_charge", "2026-11-12")])
        #expect(try app.post("/add", again).status == 303)
        let id = try #require(try app.store.subscriptions.all().last?.id)
        #expect(try app.store.subscriptions.summary(id, at: app.moment).nextBillingOn?.iso == "2026-12-12")
    }

    @Test func speaksFrench() throws {
        let app = try AppFixture(Self.now, language: .french)
        let refused = try app.post("/add", form(app, [("last_charge", "2026-11-12"), ("day_of_month", "5")])).text
        #expect(refused.contains("Doit être le jour de la dernière échéance, ou vide."))
    }
}
