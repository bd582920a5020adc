import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// The three years of the insights: at today's prices, from today, and of the calendar.
@Suite struct InsightTests {
    /// The amounts beside each other: cost per year, the next 12 months, the calendar year.
    private func years(_ app: AppFixture) throws -> [String] {
        let page = try app.get("/insights").text
        return page.split(separator: "<dd class=\"amount\">").dropFirst().prefix(3)
            .map { String($0.prefix { $0 != "<" }) }
    }

    @Test func withoutChangesTheNextYearCostsWhatTheHeadlineSays() throws {
        let app = try AppFixture()
        #expect(try app.get("/insights").text.contains("No charges."))
        // Charged today, on the last day of the year from today, and on the day after it.
        for (name, day) in [("A", "2026-11-20"), ("B", "2026-12-19"), ("C", "2027-11-19")] {
            try app.add(name, [.nextBillingOn: day, .cycle: name == "B" ? "monthly" : "yearly"])
        }
        #expect(try years(app) == ["€188.86", "€188.86", "€26.98"])
        let charge = try #require(try app.store.ledger.pending(at: app.moment).first { $0.name == "A" })
        try app.store.ledger.confirm(charge.id, at: app.moment)
        #expect(try years(app).prefix(2) == ["€188.86", "€188.86"], "confirming makes the year shorter")
        let page = try app.get("/insights").text
        #expect(page.contains("Both count the same charges") && page.contains("From 2026-11-20 through 2027-11-19."))
        #expect(try app.get("/").text.contains("href=\"/insights\""))
        #expect(try app.get("/calendar").text.contains("href=\"/insights\""))
    }

    @Test func whatMakesTheYearsDifferIsSaid() throws {
        let app = try AppFixture(language: .french)
        let id = try app.add("Été <b>", [.amount: "10.00"])
        let day = try #require(CalendarDay(iso: "2027-05-25"))
        try app.store.subscriptions.setPrice(id, "11.00", from: day, at: app.moment)
        #expect(try years(app) == ["120,00\u{A0}€", "126,00\u{A0}€", "20,00\u{A0}€"])
        #expect(try app.get("/insights").text.contains("aux prix d’aujourd’hui"))
    }

    @Test func thereIsOnePlotInTheHomeCurrency() throws {
        let app = try AppFixture()
        try app.add("Netflix", [.amount: "10.00"])
        try app.add("Swisscom", [.amount: "50.00", .currency: "CHF"])
        let tables = { try app.get("/insights").text.components(separatedBy: "class=\"months\"").count - 1 }
        #expect(try tables() == 4, "each currency by month and by category")
        try app.store.settings.set(.homeCurrency, to: "CHF", at: app.moment)
        #expect(try app.get("/insights").text.contains("No sum in CHF: exchange rates are missing."))
        try app.store.rates.set("CHF", unitsPerEuro: "0.5", on: app.moment.today, at: app.moment)
        #expect(try tables() == 2)
        #expect(try years(app) == ["CHF\u{A0}660.00", "CHF\u{A0}660.00", "CHF\u{A0}110.00"])
    }
}
