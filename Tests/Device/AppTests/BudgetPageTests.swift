import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// Budgets, the forecast by category, the year, and what rows of the list say and do.
@Suite struct BudgetPageTests {
    @Test func budgetsAreSetAndDeleted() throws {
        let app = try AppFixture()
        try app.add("Netflix", [.category: "streaming"])
        for (field, value) in [("amount", "abc"), ("amount", "-1"), ("currency", "EURO")] {
            let form =
                [("amount", "50"), ("currency", "EUR"), ("target", ""), ("period", "month")]
                .filter { $0.0 != field } + [(field, value)]
            let wrong = try app.post("/budgets", form)
            #expect(wrong.status == 422 && wrong.text.contains("id=\"\(field)-fault\""), "\(value)")
            #expect(wrong.text.contains("value=\"\(value)\""), "what was typed stays")
        }
        let set = try app.post(
            "/budgets", [("amount", "50,5 €"), ("currency", "eur"), ("target", "personal"), ("period", "month")])
        #expect(set.status == 303)
        #expect(
            try app.post(
                "/budgets", [("amount", "100"), ("currency", "EUR"), ("target", "streaming"), ("period", "year")]
            ).status == 303)
        let budgets = try app.store.budgets.list(at: app.moment)
        #expect(budgets.count == 2 && budgets.contains { $0.budget.limit.decimal == "50.50" })
        let page = try app.get(try #require(set["Location"])).text
        #expect(page.contains("€13.49 / €50.50") && page.contains("/ €100.00"))
        let id = try #require(budgets.first?.budget.id).uuidString.lowercased()
        #expect(try app.post("/budgets/delete", [("budget", id)]).status == 303)
        #expect(try app.store.budgets.list(at: app.moment).count == 1)
        #expect(try app.post("/budgets/delete", [("budget", id)]).status == 404)
        #expect(try app.post("/budgets/delete", [("budget", "x")]).status == 400)
    }

    /// A budget has one currency: what it leaves out is named, and so is that it is exceeded.
    @Test func aBudgetNamesTheCurrenciesThatItLeavesOut() throws {
        let app = try AppFixture()
        try app.add("Netflix")
        try app.add("GitHub", [.amount: "60", .currency: "USD"])
        try app.add("Sky", [.amount: "60", .currency: "GBP", .nextBillingOn: "2027-01-05"])
        try app.store.budgets.set(amount: "10", currency: "EUR", period: .month, at: app.moment)
        #expect(try app.store.budgets.list(at: app.moment).map { $0.uncounted.map(\.code) } == [["USD"]])
        let page = try app.get("/calendar").text
        #expect(page.contains(" · without charges in USD<"), "\(page)")
        #expect(!page.contains("budget exceeded"))
        let later = try app.get("/calendar?month=2026-11").text
        #expect(later.contains("€13.49 / €10.00"))
    }

    @Test func aBudgetBeginsOnPayDay() throws {
        let app = try AppFixture()
        try app.add("Netflix")
        let form = { [("amount", "50"), ("currency", "EUR"), ("target", ""), ("period", "month"), ("begins", $0)] }
        let wrong = try app.post("/budgets", form("<32>"))
        #expect(wrong.status == 422 && wrong.text.contains("id=\"begins-fault\""))
        #expect(wrong.text.contains("value=\"&lt;32>\"") || wrong.text.contains("value=\"&lt;32&gt;\""))
        let set = try app.post("/budgets", form(" 25 "))
        #expect(try app.get(try #require(set["Location"])).text.contains("from 2026-10-25 to 2026-11-24"))
        // Left empty, it stays.
        #expect(try app.post("/budgets", form("")).status == 303)
        #expect(try app.store.budgets.list(at: app.moment).map { $0.budget.begins.day } == [25])
    }

    @Test func aMonthHasItsOwnBudgets() throws {
        let app = try AppFixture()
        try app.add("Netflix")
        try app.add("Domain “x”", [.amount: "100", .cycle: "yearly", .nextBillingOn: "2026-12-10"])
        let form = [("amount", "50"), ("currency", "EUR"), ("target", "")]
        for period in ["month", "year"] {
            #expect(try app.post("/budgets", form + [("period", period)]).status == 303)
        }
        for address in ["/calendar", "/calendar?month=2026-11"] {
            let page = try app.get(address).text
            #expect(page.contains("€13.49 / €50.00") && page.contains("€126.98 / €50.00"), "\(address)")
            #expect(!page.contains("from 2026-"), "\(address)")
        }
        let december = try app.get("/calendar?month=2026-12").text
        #expect(december.contains("€113.49 / €50.00") && december.contains("from 2026-12-01 to 2026-12-31"))
        #expect(december.contains("€126.98 / €50.00") && december.contains("from 2026-01-01 to 2026-12-31"))
        let before = try app.get("/calendar?month=2025-12").text
        #expect(before.contains("€0.00 / €50.00") && before.contains("from 2025-12-01 to 2025-12-31"))
        #expect(try app.get("/calendar").text.contains("€13.49 / €50.00"))
    }

    @Test func aBudgetOfAnOwnCategoryNeedsPremium() throws {
        let app = try AppFixture(isPremium: false)
        let form = [("amount", "50"), ("currency", "EUR"), ("target", "<i>mine"), ("period", "month")]
        let refused = try app.post("/budgets", form)
        #expect(refused.status == 422 && refused.text.contains("role=\"alert\"") && !refused.text.contains("<i>"))
        #expect(try app.store.budgets.list(at: app.moment).isEmpty)
    }

    @Test func theForecastHasCategories() throws {
        let app = try AppFixture()
        try app.add("Netflix", [.category: "streaming"])
        try app.add("Deezer", [.category: "music", .amount: "10"])
        let page = try app.get("/insights").text
        #expect(page.contains("The next 12 months by category"))
        #expect(page.contains("€161.88") && page.contains("€120.00") && page.contains("€281.88"))
    }

    @Test func theYearHasMonthsAndCategories() throws {
        let app = try AppFixture()
        #expect(try app.get("/year").text.contains("No charges."))
        try app.add("Netflix <b>", [.category: "streaming", .startedOn: "2026-10-25"])
        try app.add("Deezer", [.category: "music", .amount: "10"])
        let page = try app.get("/year?year=2026").text
        #expect(page.contains("December 2026") && page.contains("Streaming") && page.contains("Music"))
        #expect(page.contains("€23.49") && page.contains("href=\"/year?year=2027\""))
        for odd in ["x", "0", "99999", "", "2199", "1900"] {
            #expect(try app.get("/year?year=\(odd)").status == 200, "\(odd)")
        }
        #expect(try app.get("/calendar").text.contains("/year?year=2026"))
    }

    /// The months of a year are the year.
    @Test(arguments: [2025, 2026, 2027]) func monthsAddUp(_ year: Int) throws {
        let app = try AppFixture()
        let early = Moment(
            now: try #require(UTCInstant(rfc3339: "2025-03-01T10:00:00Z")),
            zone: try #require(TimeZone(identifier: "Europe/Paris")))
        for (index, cycle) in ["weekly", "monthly", "quarterly", "yearly"].enumerated() {
            let draft: SubscriptionDraft = [
                .name: "Nr \(index)", .amount: "1\(index).2\(index)", .currency: "EUR", .cycle: cycle,
                .nextBillingOn: "2025-03-1\(index)", .category: index % 2 == 0 ? "music" : "streaming",
            ]
            _ = try app.store.subscriptions.add(draft, at: early)
        }
        let first = try #require(CalendarDay(year: year, month: 1, day: 1))
        let last = first.adding(months: 12).adding(days: -1)
        let whole = try app.store.totals.statement(from: first, through: last, at: app.moment)
        let months = try app.store.totals.statements(ofMonthsFrom: first, count: 12, at: app.moment)
        #expect(months.count == 12 && months.first?.month == first)
        let parts = months.flatMap(\.statements)
        #expect(parts.reduce(0) { $0 + $1.charged.minorUnits } == whole.reduce(0) { $0 + $1.charged.minorUnits })
        #expect(parts.reduce(0) { $0 + $1.toCome.minorUnits } == whole.reduce(0) { $0 + $1.toCome.minorUnits })
        #expect(parts.reduce(0) { $0 + $1.total.minorUnits } > 0)
        for (month, statements) in months {
            let alone = try app.store.totals.statement(
                from: month, through: month.adding(months: 1).adding(days: -1), at: app.moment)
            #expect(statements == alone, "\(month.iso)")
        }
    }

    @Test func rowsHaveBadges() throws {
        let app = try AppFixture()
        try app.add("Netflix")
        try app.add("Disney+", [.trialEndsOn: "2026-11-28", .nextBillingOn: "2026-11-29"])
        try app.add(
            "Gym", [.minimumMonths: "12", .noticeDays: "30", .startedOn: "2026-01-15", .nextBillingOn: "2026-12-15"])
        let page = try app.get("/").text
        #expect(page.contains("class=\"badge\">Trial") && page.contains("Cancel by 2026-11-27"))
        #expect(page.components(separatedBy: "Cancel by").count == 2, "only what is near")
        let later = try AppFixture("2026-12-10T10:00:00Z")
        try later.add(
            "Gym", [.minimumMonths: "12", .noticeDays: "30", .startedOn: "2026-01-15", .nextBillingOn: "2026-12-15"])
        #expect(try later.get("/").text.contains("Cancel by 2026-12-15"))
    }

    @Test func rowsHaveActions() throws {
        let app = try AppFixture()
        let id = try app.add("Net\"><img src=x>")
        let place = "/subscriptions/\(id.uuidString.lowercased())"
        let page = try app.get("/").text
        #expect(page.contains("formaction=\"\(place)/pause\"") && !page.contains("<img src=x"))
        for (action, status) in [("pause", "paused"), ("resume", "active"), ("cancel", "cancelled")] {
            let done = try app.post("\(place)/\(action)", [("back", "/")])
            #expect(done["Location"]?.hasPrefix("/?done=") == true, "\(action)")
            #expect(try app.store.subscriptions.summary(id, at: app.moment).status.rawValue == status)
            #expect(try app.get(try #require(done["Location"])).text.contains("action=\"/undo\""))
        }
        #expect(try app.get("/").text.contains("formaction=\"\(place)/resume\""))
        let elsewhere = try app.post("\(place)/resume", [("back", "https://evil.example/")])
        #expect(elsewhere["Location"]?.hasPrefix(place) == true)
    }

    @Test func speaksFrench() throws {
        let app = try AppFixture(language: .french)
        try app.add("Disney+", [.trialEndsOn: "2026-11-28", .nextBillingOn: "2026-11-29"])
        let list = try app.get("/").text
        #expect(list.contains("À résilier au plus tard le 27/11/2026") && list.contains("Masquer les montants"))
        #expect(try app.get("/year").text.contains("Décembre 2026"))
        #expect(try app.post("/budgets", [("amount", "")]).text.contains("amount-fault"))
    }
}
