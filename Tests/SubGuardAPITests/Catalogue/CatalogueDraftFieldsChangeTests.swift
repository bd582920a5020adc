import JSONWire
import SubGuardAPI
import SubGuardDomain
import Testing

/// Bodies that change an item which is there: 12.34 EUR, every 18 months, with everything set.
@Suite struct CatalogueDraftFieldsChangeTests {
    private let item = CatalogueSample.item()

    @Test func keepsWhatIsNotNamed() throws {
        var fields = try Self.fields(#"{"name": "L’Équipe"}"#)
        var expected = item.draft
        expected.name = "L’Équipe"
        #expect(fields.draft(changing: item) == expected)
    }

    @Test func changesEveryFieldThatIsNamed() throws {
        var fields = try Self.fields(
            """
            {"name": "Le Monde", "slug": "le-monde", "category": "news", "typical_amount": "9.99", "currency": "CHF", "billing_cycle": "yearly",
             "website": "https://www.lemonde.fr", "cancel_url": "https://moncompte.lemonde.fr", "notice_days": 0, "aliases": []}
            """)
        let franc = try #require(Currency(code: "CHF"))
        #expect(
            fields.draft(changing: item)
                == CatalogueDraft(
                    name: "Le Monde", slug: "le-monde", category: "news",
                    typicalAmount: Money(minorUnits: 999, currency: franc), billingCycle: .yearly,
                    website: "https://www.lemonde.fr", cancelURL: "https://moncompte.lemonde.fr", noticeDays: 0, aliases: []))
    }

    @Test func emptiesWhatIsNull() throws {
        var fields = try Self.fields(#"{"website": null, "cancel_url": null, "notice_days": null}"#)
        let draft = try #require(fields.draft(changing: item))
        #expect(draft.website == nil)
        #expect(draft.cancelURL == nil)
        #expect(draft.noticeDays == nil)
        #expect(draft.aliases == item.aliases)
    }

    @Test(arguments: ["name", "slug", "category", "typical_amount", "currency", "billing_cycle", "aliases"])
    func refusesNullWhereSomethingMustBe(_ field: String) throws {
        var fields = try Self.fields(#"{"\#(field)": null}"#)
        #expect(fields.draft(changing: item) == nil)
        #expect(CatalogueDraftFieldsTests.faults(fields) == ["#/\(field) wrong_type"])
    }

    @Test func refusesACurrencyThatTheAmountDoesNotFit() throws {
        var fields = try Self.fields(#"{"currency": "JPY"}"#)
        #expect(fields.draft(changing: item) == nil)
        #expect(CatalogueDraftFieldsTests.faults(fields) == ["#/typical_amount too_many_decimals"])
    }

    @Test func keepsTheDigitsWhenTheCurrencyAloneChanges() throws {
        var fields = try Self.fields(#"{"currency": "KWD"}"#)
        let draft = try #require(fields.draft(changing: item))
        #expect(draft.typicalAmount.decimal == "12.340")
        #expect(draft.typicalAmount.currency.code == "KWD")
    }

    @Test func takesACurrencyTogetherWithAnAmountThatFitsIt() throws {
        var fields = try Self.fields(#"{"currency": "JPY", "typical_amount": "1980"}"#)
        #expect(try #require(fields.draft(changing: item)).typicalAmount == Money(minorUnits: 1980, currency: .jpy))
    }

    @Test func readsAnAmountInTheCurrencyOfTheItem() throws {
        var fields = try Self.fields(#"{"typical_amount": "12.345"}"#)
        #expect(fields.draft(changing: item) == nil)
        #expect(CatalogueDraftFieldsTests.faults(fields) == ["#/typical_amount too_many_decimals"])
    }

    @Test func refusesAnotherID() throws {
        var fields = try Self.fields(#"{"id": "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", "name": "x"}"#)
        #expect(fields.draft(changing: item) == nil)
        #expect(fields.id == nil)
        #expect(CatalogueDraftFieldsTests.faults(fields) == ["#/id unknown_field"])
    }

    @Test func namesEveryFaultAtOnce() throws {
        var fields = try Self.fields(#"{"colour": 1, "name": 2, "currency": "EURO", "billing_cycle": "", "notice_days": 1.5}"#)
        #expect(fields.draft(changing: item) == nil)
        #expect(
            CatalogueDraftFieldsTests.faults(fields) == [
                "#/billing_cycle unknown_cycle", "#/colour unknown_field", "#/currency unknown_currency",
                "#/name wrong_type", "#/notice_days wrong_type",
            ])
    }

    private static func fields(_ text: String) throws -> CatalogueDraftFields {
        try CatalogueDraftFieldsTests.fields(text, allowsID: false)
    }
}
