import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// What pages say in French, and without exchange rates.
@Suite struct WordingTests {
    @Test func settingsHaveNamesInEachLanguage() throws {
        let app = try AppFixture(language: .french)
        #expect(try app.post("/settings/home-currency", [("home_currency", "chf")]).status == 303)
        try app.store.settings.set(.backupWarningDays, to: "60", at: app.moment)
        try app.store.settings.set(.reminderQuietHours, to: "none", at: app.moment)
        try app.store.settings.set(.reminderKinds, to: "charge,cancel_by", at: app.moment)
        try app.store.settings.set(.reminderDays, to: "7,1", at: app.moment)
        let page = try app.get("/settings").text
        for words in [
            "devise de référence\u{202F}: CHF", "alerte sans sauvegarde\u{202F}: après 60 jours",
            "heures calmes\u{202F}: aucune",
            "rappels\u{202F}: échéance, dernier jour pour résilier", "rappel avant une échéance\u{202F}: 7, 1 jours",
        ] {
            #expect(page.contains(words), "\(words)")
        }
        for name in UserSetting.allCases where name != .language && name != .homeCurrency {
            #expect(!page.contains(name.rawValue), "\(name.rawValue)")
        }
        #expect(!page.contains("home_currency :"))
    }

    @Test func faultsAreFrench() throws {
        let app = try AppFixture(language: .french)
        let rate = try app.post("/rates", [("currency", "CHF"), ("rate", "0,95"), ("on", "x")])
        #expect(rate.status == 422 && rate.text.contains("doit être une date telle que 15/01/2027"))
        #expect(try app.get("/insights?since=x").text.contains("doit être une date telle que 15/01/2027"))
        let odd = try app.send("/import", [], "a.csv", [0x61], field: "a\"b")
        #expect(odd.status == 400 && odd.text.contains("une partie est illisible"))
    }

    @Test func amountsStandInFormsAsTheyAreWritten() throws {
        for (language, written) in [(DisplayLanguage.english, "12.34"), (.french, "12,34")] {
            let app = try AppFixture(language: language)
            let id = try app.add("Netflix", [.amount: "12.34", .nextBillingOn: app.moment.today.iso])
            #expect(try app.get("/due").text.contains("name=\"amount\" value=\"\(written)\""))
            for (number, typed) in ["5,00", "5.00"].enumerated() {
                let charge = "\(id.uuidString.lowercased()):\(app.moment.today.iso)"
                let form = [("occurrence", charge), ("currency", "EUR"), ("amount", typed)]
                #expect(try app.post("/due/paid", form).status == 303, "\(number)")
            }
        }
    }

    @Test func withoutRatesThereIsNoSum() throws {
        let app = try AppFixture()
        try app.add("Netflix", [.amount: "10.00"])
        try app.store.settings.set(.homeCurrency, to: "CHF", at: app.moment)
        let page = try app.get("/").text
        #expect(!page.contains("CHF\u{A0}0.00") && page.contains("annual amount\">€120.00"))
        #expect(page.contains("No sum in CHF: exchange rates are missing.") && page.contains("href=\"/rates\""))
        #expect(try app.get("/widget/small").text.contains("annual amount\">€120.00"))
        #expect(try app.get("/rates").text.contains("No rate for"), "the home currency has no rate")
        try app.add("Swisscom", [.amount: "50.00", .currency: "CHF"])
        let both = try app.get("/").text
        #expect(both.contains("annual amount\">€120.00") && both.contains("annual amount\">CHF\u{A0}600.00"))
        try app.store.rates.set("CHF", unitsPerEuro: "0.5", on: app.moment.today, at: app.moment)
        let sum = try app.get("/").text
        #expect(sum.contains("annual amount\">CHF\u{A0}660.00") && !sum.contains("are missing"))
        #expect(try app.get("/widget/small").text.contains("annual amount\">CHF\u{A0}660.00"))
    }

    @Test func aYearOfTwoCurrenciesIsAddedUpInTheHomeCurrency() throws {
        let app = try AppFixture()
        try app.add("Netflix", [.amount: "10.00", .nextBillingOn: "2026-12-01"])
        try app.store.settings.set(.homeCurrency, to: "EUR", at: app.moment)
        #expect(try !app.get("/year?year=2026").text.contains("All currencies together"), "one currency needs no sum")
        try app.add("Swisscom", [.amount: "50.00", .currency: "CHF", .nextBillingOn: "2026-12-01"])
        #expect(try app.get("/year?year=2026").text.contains("No sum in EUR: exchange rates are missing."))
        try app.store.rates.set("CHF", unitsPerEuro: "0.5", on: app.moment.today, at: app.moment)
        let year = try app.get("/year?year=2026").text
        #expect(year.contains("value amount\">€110.00") && year.contains("All currencies together"))
    }

    /// What has no rate of its day is left out, and the sum is shown with what is said about it.
    @Test func aYearWithoutRatesOfBeforeShowsWhatItAddsUp() throws {
        let app = try AppFixture()
        try app.add("Netflix", [.amount: "10.00", .nextBillingOn: "2026-12-01"])
        try app.add(
            "Prime", [.amount: "7.00", .currency: "USD", .nextBillingOn: "2026-12-05", .startedOn: "2026-01-05"])
        try app.store.settings.set(.homeCurrency, to: "EUR", at: app.moment)
        try app.store.rates.set("USD", unitsPerEuro: "1", on: app.moment.today, at: app.moment)
        let year = try app.get("/year?year=2026").text
        #expect(year.contains("some charges are not included: USD"))
        #expect(year.contains("annual amount\">€17.00"), "\(year)")
    }

    @Test func categoriesAreInTheOrderOfTheLanguage() throws {
        let app = try AppFixture(language: .french)
        for category in ["education", "energy", "food", "music", "shopping"] {
            try app.add("Zoé \(category)", [.category: category])
        }
        func places(_ page: String, _ names: [String]) throws -> [String.Index] {
            try names.map { try #require(page.range(of: ">\($0)<"), "\($0)").lowerBound }
        }
        for address in ["/add?name=x", "/calendar", "/categories", "/year?year=2026", "/insights"] {
            let found = try places(
                try app.get(address).text, ["Achats", "Alimentation", "Éducation", "Énergie", "Musique"])
            #expect(found == found.sorted(), "\(address)")
        }
    }

    @Test func priceRisesSinceADate() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix", [.startedOn: "2024-01-01"])
        let day = { (text: String) in try #require(CalendarDay(iso: text)) }
        try app.store.subscriptions.setPrice(id, "8.00", from: day("2024-01-01"), at: app.moment)
        try app.store.subscriptions.setPrice(id, "10.00", from: day("2025-03-01"), at: app.moment)
        try app.store.subscriptions.setPrice(id, "13.49", from: day("2026-06-01"), at: app.moment)
        let year = try app.get("/insights").text
        #expect(year.contains("value=\"2025-11-20\"") && year.contains("€10.00 → €13.49"))
        #expect(!year.contains("€8.00 → €10.00"))
        let all = try app.get("/insights?since=2025-01-01").text
        #expect(all.contains("€8.00 → €10.00 (+25 %)"))
        let none = try app.get("/insights?since=2026-07-01").text
        #expect(none.contains("No price rises since 2026-07-01."))
        for (wrong, why) in [
            ("2026-02-30", "Must be a date"), ("<b>", "Must be a date"), ("2027-01-01", "after today"),
        ] {
            let refused = try app.get("/insights?since=\(wrong.replacing("<b>", with: "%3Cb%3E"))")
            #expect(
                refused.status == 422 && refused.text.contains("since-fault") && refused.text.contains(why), "\(wrong)")
            #expect(!refused.text.contains("<b>") || wrong != "<b>" || !refused.text.contains("value=\"<b>"))
        }
    }

    @Test func sessionsAndCrashesAreShownAsTheyWouldBeSent() throws {
        let app = try AppFixture()
        try app.add()
        try app.store.signals.begin(version: "1.4.0", at: app.moment)?.end()
        try app.store.signals.begin(version: "1.4.0", at: app.moment)?.end()
        try app.store.signals.report(
            CrashDetails(type: "SIGSEGV", message: "import <b>", platform: "linux"), version: "1.4.0", at: app.moment)
        let files = { try FileManager.default.contentsOfDirectory(atPath: app.store.path + ".signals").sorted() }
        let before = try files()
        let page = try app.get("/privacy").text
        #expect(page.contains("2 sessions") && page.contains("1.4.0"))
        #expect(page.contains("SIGSEGV") && page.contains("import &lt;b&gt;"))
        // As it is in the requests.
        for part in [
            "&quot;name&quot;:&quot;subscription_added&quot;", "&quot;total&quot;:2", "&quot;crashed&quot;:0",
            "&quot;handled&quot;:false", "&quot;app_version&quot;:&quot;1.4.0&quot;",
        ] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(try files() == before, "looking seals files")
        #expect(app.store.signals.counts() == SignalCounts(sessions: 2, crashes: 1))
        #expect(try app.post("/privacy", [("consent", "revoked")]).status == 303)
        #expect(try app.get("/privacy").text.contains("Nothing waits."))
    }
}
