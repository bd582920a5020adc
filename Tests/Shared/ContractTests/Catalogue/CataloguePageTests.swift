import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct CataloguePageTests {
    @Test func writesTheFieldsOfTheContractInTheirOrder() throws {
        #expect(
            try text(of: CatalogueSample.item())
                == #"{"id":"01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b","name":"L’Équipe \"Premium\" \\ 🎬","#
                + #""slug":"l-equipe-premium","category":"press","typical_amount":"12.34","currency":"EUR","#
                + #""billing_cycle":"every:18m","#
                + #""website":"https://www.lequipe.fr","logo_url":"/logos/ab.png","#
                + #""cancel_url":"https://www.lequipe.fr/?a=1&b=%C3%A9#z","notice_days":30,"#
                + #""aliases":["L'Équipe","🏃"],"updated_at":"2028-02-29T23:59:59.007Z"}"#)
    }

    @Test func writesWhatIsNotKnownAsNull() throws {
        var item = CatalogueSample.item()
        item.website = nil
        item.logoURL = nil
        item.cancelURL = nil
        item.noticeDays = nil
        item.aliases = []
        let object = try JSONValue.parse(Array(try text(of: item).utf8))
        for name in ["website", "logo_url", "cancel_url", "notice_days"] { #expect(object[name] == .null, "\(name)") }
        #expect(object["aliases"] == .array([]))
        let known = try JSONValue.parse(CatalogueSample.item().json())
        #expect(object.objectValue?.members.map(\.name) == known.objectValue?.members.map(\.name))
    }

    @Test(arguments: [
        ("JPY", Int64(1200), "1200"), ("EUR", 5, "0.05"), ("EUR", 0, "0.00"), ("KWD", 1_234, "1.234"),
        ("EUR", 100_000_000, "1000000.00"),
    ])
    func writesAsManyDecimalsAsTheCurrencyHas(_ code: String, _ units: Int64, _ amount: String) throws {
        var item = CatalogueSample.item()
        item.typicalAmount = Money(minorUnits: units, currency: try #require(Currency(code: code)))
        let object = try JSONValue.parse(Array(try text(of: item).utf8))
        #expect(object["typical_amount"]?.stringValue == amount)
        #expect(object["currency"]?.stringValue == code)
    }

    @Test func writesWholeSecondsWithoutAFraction() throws {
        var item = CatalogueSample.item()
        item.updatedAt = try #require(UTCInstant(rfc3339: "2027-01-01T00:59:59+01:00"))
        #expect(
            try JSONValue.parse(Array(try text(of: item).utf8))["updated_at"]?.stringValue == "2026-12-31T23:59:59Z")
    }

    @Test func addsTheFieldsOfACallBehindTheOthers() throws {
        let match = CatalogueMatch(item: CatalogueSample.item(), score: 95, matched: "L'Équipe")
        let members = try #require(try JSONValue.parse(match.json()).objectValue?.members)
        let item = try JSONValue.parse(CatalogueSample.item().json())
        #expect(members.dropLast(2).map(\.name) == item.objectValue?.members.map(\.name))
        #expect(members.suffix(2).map(\.name) == ["score", "matched"])
        #expect(members.last?.value == .string("L'Équipe"))
    }

    /// The hand-written writers produce the same JSON as the declarations.
    @Test func writesWhatIsDeclared() throws {
        var bare = CatalogueSample.item()
        bare.website = nil
        bare.logoURL = nil
        bare.noticeDays = nil
        bare.aliases = []
        let deleted = [
            CataloguePage.Deletion(id: bare.id, mergedInto: nil),
            CataloguePage.Deletion(id: bare.id, mergedInto: bare.id),
        ]
        for (deleted, next, token) in [
            (nil, "c1", nil), (deleted, nil, "t1"), ([], nil, "t2"), (nil, nil, "t3"),
        ] as [([CataloguePage.Deletion]?, String?, String?)] {
            let page = CataloguePage(
                items: [CatalogueSample.item(), bare], deleted: deleted, nextCursor: next, syncToken: token)
            Self.expectDeclared(page)
            let read = try CataloguePage(try #require(try JSONValue.parse(page.json()).objectValue))
            #expect(read.json() == page.json())
        }
        for item in [CatalogueSample.item(), bare] {
            Self.expectDeclared(item)
            Self.expectDeclared(AdminCatalogueItem(item))
        }
        Self.expectDeclared(ListPage(items: [CatalogueSample.item(), bare], nextCursor: "c\"1"))
        Self.expectDeclared(ListPage<CatalogueItem>(items: [], nextCursor: nil))
        Self.expectDeclared(WholeList(items: [bare]))
    }

    private static func expectDeclared<Object: WireObject>(_ object: Object) {
        var declared = JSONWriter()
        Object.wire.write(object, to: &declared)
        #expect(String(decoding: object.json(), as: UTF8.self) == String(decoding: declared.bytes, as: UTF8.self))
    }

    /// Reading output of a newer server: links with a forbidden scheme are dropped, an invalid page is rejected.
    @Test func readsWhatANewerServerMayWrite() throws {
        var object = try #require(try JSONValue.parse(CatalogueSample.item().json()).objectValue)
        object.set("website", "http://example.org")
        object.set("cancel_url", .string("https://" + String(repeating: "a", count: 600)))
        object.set("notice_days", 400)
        object.set("category", "A new kind!")
        object.set("aliases", .array((0..<30).map { .string("alias \($0)") }))
        object.set("colour", "red")
        let item = try CatalogueItem(object, unknown: .ignored)
        #expect(item.website == nil && item.cancelURL == nil)
        #expect(item.noticeDays == 400 && item.category == "A new kind!")
        #expect(item.aliases.count == CatalogueRules.maximumAliases)
        let longest = String(repeating: "é", count: CatalogueRules.maximumNameLength)
        object.set("aliases", .array([.string(longest + "x"), "", .string(longest), "b"]))
        #expect(try CatalogueItem(object, unknown: .ignored).aliases == [longest, "b"])
        for (name, value) in [
            ("typical_amount", "12,34"), ("currency", "XXX"), ("billing_cycle", "often"), ("name", ""),
        ] {
            var broken = object
            broken.set(name, .string(value))
            #expect(throws: FaultList.self) { try CatalogueItem(broken, unknown: .ignored) }
        }
        let endless: JSONObject = ["items": [], "next_cursor": .null]
        #expect(throws: FaultList.self) { try CataloguePage(endless, unknown: .ignored) }
    }

    @Test func keepsTheRevisionForEditors() throws {
        let item = CatalogueSample.item()
        let object = try #require(try JSONValue.parse(AdminCatalogueItem(item).json()).objectValue)
        #expect(object.members.last?.name == "revision")
        #expect(try AdminCatalogueItem(object).item == item)
    }

    private func text(of item: CatalogueItem) throws -> String {
        try #require(String(validating: item.json(), as: UTF8.self))
    }
}
