import Foundation
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Testing

/// Bodies that change an existing item: 12.34 EUR, every 18 months, with all fields set.
@Suite struct CatalogueChangeTests {
    private let item = CatalogueItem(
        id: UUID(),
        CatalogueDraft(
            name: "L’Équipe \"Premium\" \\ 🎬", slug: "l-equipe-premium", category: "press",
            typicalAmount: Money(minorUnits: 1234, currency: .eur),
            billingCycle: BillingCycle(wire: "every:18m") ?? .monthly, website: "https://www.lequipe.fr",
            cancelURL: "https://www.lequipe.fr/?a=1#z", noticeDays: 30, aliases: ["L'Équipe", "🏃"]),
        logoURL: "/logos/ab.png", updatedAt: UTCInstant(millisecondsSinceEpoch: 0), revision: 1204)

    @Test func keepsWhatIsNotNamed() throws {
        let reading = try Reading(item, #"{"name": "L’Équipe"}"#)
        var expected = item.draft
        expected.name = "L’Équipe"
        #expect(reading.draft == expected)
    }

    @Test func changesEveryFieldThatIsNamed() throws {
        let reading = try Reading(
            item,
            """
            {"name": "Le Monde", "slug": "le-monde", "category": "news", "typical_amount": "9.99",
             "currency": "CHF", "billing_cycle": "yearly",
             "website": "https://www.lemonde.fr",
             "cancel_url": "https://moncompte.lemonde.fr", "notice_days": 0, "aliases": []}
            """)
        let franc = try #require(Currency(code: "CHF"))
        #expect(
            reading.draft
                == CatalogueDraft(
                    name: "Le Monde", slug: "le-monde", category: "news",
                    typicalAmount: Money(minorUnits: 999, currency: franc), billingCycle: .yearly,
                    website: "https://www.lemonde.fr", cancelURL: "https://moncompte.lemonde.fr", noticeDays: 0,
                    aliases: []))
    }

    @Test func emptiesWhatIsNull() throws {
        let reading = try Reading(item, #"{"website": null, "cancel_url": null, "notice_days": null}"#)
        let draft = try #require(reading.draft)
        #expect(draft.website == nil)
        #expect(draft.cancelURL == nil)
        #expect(draft.noticeDays == nil)
        #expect(draft.aliases == item.aliases)
    }

    @Test(arguments: ["name", "slug", "category", "typical_amount", "currency", "billing_cycle", "aliases"])
    func refusesNullWhereSomethingMustBe(_ field: String) throws {
        let reading = try Reading(item, #"{"\#(field)": null}"#)
        #expect(reading.draft == nil)
        #expect(reading.faults == ["#/\(field) required"])
    }

    @Test func refusesACurrencyThatTheAmountDoesNotFit() throws {
        let reading = try Reading(item, #"{"currency": "JPY"}"#)
        #expect(reading.draft == nil)
        #expect(reading.faults == ["#/typical_amount too_many_decimals"])
    }

    @Test func keepsTheDigitsWhenTheCurrencyAloneChanges() throws {
        let reading = try Reading(item, #"{"currency": "KWD"}"#)
        let draft = try #require(reading.draft)
        #expect(draft.typicalAmount.decimal == "12.340")
        #expect(draft.typicalAmount.currency.code == "KWD")
    }

    @Test func takesACurrencyTogetherWithAnAmountThatFitsIt() throws {
        let reading = try Reading(item, #"{"currency": "JPY", "typical_amount": "1980"}"#)
        #expect(try #require(reading.draft).typicalAmount == Money(minorUnits: 1980, currency: .jpy))
    }

    @Test func readsAnAmountInTheCurrencyOfTheItem() throws {
        let reading = try Reading(item, #"{"typical_amount": "12.345"}"#)
        #expect(reading.draft == nil)
        #expect(reading.faults == ["#/typical_amount too_many_decimals"])
    }

    @Test func refusesAnotherID() throws {
        let reading = try Reading(item, #"{"id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", "name": "x"}"#)
        #expect(reading.draft == nil)
        #expect(reading.faults == ["#/id unknown_field"])
    }

    @Test func namesEveryFaultAtOnce() throws {
        let reading = try Reading(
            item, #"{"colour": 1, "name": 2, "currency": "EURO", "billing_cycle": "", "notice_days": 1.5}"#)
        #expect(reading.draft == nil)
        #expect(
            reading.faults == [
                "#/billing_cycle unknown_cycle", "#/colour unknown_field", "#/currency unknown_currency",
                "#/name invalid_type", "#/notice_days invalid_type",
            ])
    }

    @Test func refusesAChangeOfNothing() throws {
        #expect(try Reading(item, "{}").faults == ["# required"])
    }

    /// The result of reading the body of a change.
    private struct Reading {
        var draft: CatalogueDraft?
        /// "pointer code" of each problem, sorted.
        var faults: [String] = []

        init(_ item: CatalogueItem, _ text: String) throws {
            let object = try #require(try JSONValue.parse(Array(text.utf8)).objectValue)
            do throws(FaultList) {
                draft = try CatalogueChange(object).draft(of: item)
            } catch {
                faults = error.map { "\($0.pointer) \($0.code.rawValue)" }.sorted()
            }
        }
    }
}
