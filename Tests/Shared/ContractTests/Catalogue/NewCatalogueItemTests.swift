import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain
import Testing

/// Bodies of new items.
@Suite struct NewCatalogueItemTests {
    @Test func readsEveryFieldOfANewItem() throws {
        let reading = try Reading(
            """
            {"id": "01934F0E-7C2A-7D3E-9B1A-5C6D7E8F9A0B", "name": "L’Équipe \\"Premium\\" 🎬", "slug": "l-equipe",
             "category": "press", "typical_amount": "12.34", "currency": "EUR", "billing_cycle": "every:18m",
             "website": "https://www.lequipe.fr", "cancel_url": null,
             "notice_days": 30, "aliases": ["L'Équipe", "🏃"]}
            """)
        let draft = try #require(reading.draft)
        #expect(reading.id?.lowercased == "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b")
        #expect(draft.name == "L’Équipe \"Premium\" 🎬")
        #expect(draft.slug == "l-equipe")
        #expect(draft.category == "press")
        #expect(draft.typicalAmount == Money(minorUnits: 1234, currency: .eur))
        #expect(draft.billingCycle == .every(count: 18, unit: .months))
        #expect(draft.website == "https://www.lequipe.fr")
        #expect(draft.cancelURL == nil)
        #expect(draft.noticeDays == 30)
        #expect(draft.aliases == ["L'Équipe", "🏃"])
    }

    @Test func makesTheSlugOfTheNameWhenThereIsNone() throws {
        let reading = try Reading(Self.body(["name": .string("Ciné+ « Frisson »")]))
        #expect(try #require(reading.draft).slug == CatalogueDraft.slug(from: "Ciné+ « Frisson »"))
        #expect(reading.id == nil)
    }

    @Test func namesEveryMissingField() throws {
        let reading = try Reading("{}")
        #expect(reading.draft == nil)
        #expect(
            reading.faults == [
                "#/billing_cycle required", "#/category required", "#/currency required", "#/name required",
                "#/typical_amount required",
            ])
        let nulls = try Reading(#"{"name": null, "slug": null, "aliases": null, "notice_days": null}"#).faults
        #expect(nulls.allSatisfy { $0.hasSuffix(" required") })
        #expect(nulls.contains("#/slug required") && nulls.contains("#/aliases required"))
    }

    @Test func namesMissingMistypedAndUnknownFieldsAtOnce() throws {
        let reading = try Reading(
            """
            {"id": "not-a-uuid", "slug": null, "category": 7, "typical_amount": 12.34,
             "currency": "EUR", "billing_cycle": "fortnightly", "website": false, "cancel_url": [],
             "notice_days": "30", "aliases": ["ok", null], "colour": "red", "logo_url": "/logos/x.png"}
            """)
        #expect(reading.draft == nil)
        #expect(
            reading.faults == [
                "#/aliases/1 required", "#/billing_cycle unknown_cycle", "#/cancel_url invalid_type",
                "#/category invalid_type",
                "#/colour unknown_field", "#/id invalid_id", "#/logo_url unknown_field", "#/name required",
                "#/notice_days invalid_type", "#/slug required", "#/typical_amount invalid_type",
                "#/website invalid_type",
            ])
        #expect(reading.problems.allSatisfy { $0.detail.hasSuffix(".") && !$0.detail.contains("fortnightly") })
    }

    @Test func namesElementsAndBrokenRulesBesideThem() throws {
        let reading = try Reading(
            """
            {"name": "Ciné", "slug": "Ciné!", "category": "streaming", "typical_amount": "12.34", "currency": "EUR",
             "billing_cycle": "monthly", "website": "http://x", "aliases": ["", 5, "cine", "ok"]}
            """)
        #expect(reading.draft == nil)
        #expect(
            reading.faults == [
                "#/aliases/0 required", "#/aliases/1 invalid_type", "#/aliases/2 duplicate", "#/slug invalid_format",
                "#/website invalid_url",
            ])
    }

    @Test func keepsAHundredFaultsAndCountsTheOthers() throws {
        let unknown = (0..<250).map { #""x\#($0)": 1"# }.joined(separator: ",")
        let reading = try Reading("{\(unknown)}")
        #expect(reading.problems.keptCount == 100)
        // 250 unknown and 5 missing required members, of which 100 faults are kept.
        #expect(reading.problems.omitted == 155)
    }

    @Test(arguments: ["30.5", "1e-1", "\"30\"", "true", "[30]", "99999999999999999999", "{}"])
    func takesWholeNumbersOnlyForDays(_ value: String) throws {
        let reading = try Reading(Self.body(["notice_days": try JSONValue.parse(Array(value.utf8))]))
        #expect(reading.draft == nil)
        #expect(reading.faults == ["#/notice_days invalid_type"])
    }

    @Test(arguments: [
        ("12.345", "EUR", "#/typical_amount too_many_decimals"), ("12.3", "JPY", "#/typical_amount too_many_decimals"),
        ("12,34", "EUR", "#/typical_amount invalid_amount"), ("1e3", "EUR", "#/typical_amount invalid_amount"),
        ("", "EUR", "#/typical_amount invalid_amount"),
        ("99999999999999999999", "EUR", "#/typical_amount out_of_range"),
        ("12.34", "eur", "#/currency unknown_currency"), ("12.34", "XXX", "#/currency unknown_currency"),
        ("12.34", "", "#/currency unknown_currency"),
    ])
    func refusesMoneyThatIsNone(_ amount: String, _ currency: String, _ fault: String) throws {
        let reading = try Reading(
            Self.body(["typical_amount": .string(amount), "currency": .string(currency)]))
        #expect(reading.draft == nil)
        #expect(reading.faults == [fault])
    }

    @Test(arguments: [("1.234", "KWD", Int64(1234)), ("1200", "JPY", 1200), ("0", "EUR", 0), ("007.5", "EUR", 750)])
    func readsAmountsExactly(_ amount: String, _ currency: String, _ units: Int64) throws {
        let reading = try Reading(
            Self.body(["typical_amount": .string(amount), "currency": .string(currency)]))
        #expect(try #require(reading.draft).typicalAmount.minorUnits == units)
    }

    @Test func completesADraftFromTheItemThatIsThere() throws {
        let item = CatalogueSample.item()
        let reading = try Reading(Self.body(["website": .null]))
        let draft = try #require(reading.item).draft(completing: item)
        #expect(draft.website == nil)
        #expect(draft.cancelURL == item.cancelURL && draft.noticeDays == item.noticeDays)
        #expect(draft.aliases == item.aliases)
    }

    @Test func readsBackWhatItWrites() throws {
        let item = CatalogueSample.item()
        let text = String(decoding: NewCatalogueItem(id: item.id, item.draft).json(), as: UTF8.self)
        let reading = try Reading(text)
        #expect(reading.id == item.id)
        #expect(reading.draft == item.draft)
    }

    /// The result of reading a body.
    private struct Reading {
        var item: NewCatalogueItem?
        var problems = FaultList()
        var id: UUID? { item?.id }
        var draft: CatalogueDraft? { item?.draft() }
        /// "pointer code" of each problem, sorted.
        var faults: [String] { problems.map { "\($0.pointer) \($0.code.rawValue)" }.sorted() }

        init(_ text: String) throws {
            let object = try #require(try JSONValue.parse(Array(text.utf8)).objectValue)
            do throws(FaultList) {
                item = try NewCatalogueItem(object)
            } catch {
                problems = error
            }
        }
    }

    /// A body with all required members and the given changes.
    private static func body(_ changes: [String: JSONValue]) -> String {
        let usual: [String: JSONValue] = [
            "name": .string("Netflix"), "category": .string("streaming"), "typical_amount": .string("14.99"),
            "currency": .string("EUR"), "billing_cycle": .string("monthly"),
        ]
        let members = usual.merging(changes) { _, new in new }.sorted { $0.key < $1.key }
        return String(
            decoding: JSONValue.object(JSONObject(members.map { ($0.key, $0.value) })).serialized(), as: UTF8.self)
    }
}
