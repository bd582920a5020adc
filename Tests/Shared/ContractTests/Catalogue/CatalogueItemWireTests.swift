import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct CatalogueItemWireTests {
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
        #expect(object.objectValue?.members.count == 13)
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
        var writer = JSONWriter()
        CatalogueSample.item().write(
            to: &writer, more: [("score", .number("95")), ("matched", .string("L'Équipe"))])
        let members = try #require(try JSONValue.parse(writer.bytes).objectValue?.members)
        #expect(members.count == 15)
        #expect(members.suffix(2).map(\.name) == ["score", "matched"])
        #expect(members.last?.value == .string("L'Équipe"))
    }

    private func text(of item: CatalogueItem) throws -> String {
        var writer = JSONWriter()
        item.write(to: &writer)
        return try #require(String(validating: writer.bytes, as: UTF8.self))
    }
}
