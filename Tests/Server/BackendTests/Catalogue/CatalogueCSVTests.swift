import Backend
import BackendTestKit
import Foundation
import SubGuardContract
import SubGuardDomain
import Testing

struct CatalogueCSVTests {
    private static let header =
        "name,slug,category,typical_amount,currency,billing_cycle,website,cancel_url,notice_days,aliases"

    private func parse(_ text: String) throws -> [CatalogueImportRow] {
        try CatalogueCSV.parse(Array(text.utf8))
    }

    private func drafts(_ rows: [CatalogueImportRow]) -> [CatalogueDraft] {
        rows.compactMap { row in
            if case .item(let item) = row.content { item.draft() } else { nil }
        }
    }

    private func errors(_ row: CatalogueImportRow?) -> [String] {
        guard case .unreadable(let errors) = row?.content else { return [] }
        return errors.map { "\($0.pointer) \($0.code.rawValue)" }
    }

    @Test func readsBackWhatItWrote() throws {
        let yen = Money(minorUnits: 1200, currency: .jpy)
        let names = ["=HYPERLINK(\"x\")", "-10 % “off”", "'quoted'", "Ciné, \"Séries\"", "+Net", "Ünï🎬", "a\\|b"]
        let items = names.enumerated().map { index, name in
            CatalogueItem(
                id: makeID(UInt64(index)), name: name, slug: "slug-\(index)", category: "streaming",
                typicalAmount: index == 2 ? yen : Money(minorUnits: 1234, currency: .eur),
                billingCycle: index == 3 ? .lifetime : .monthly, website: index == 4 ? nil : "https://example.com/a,b",
                noticeDays: index == 5 ? 0 : nil,
                aliases: index.isMultiple(of: 2) ? ["x|y", "back\\slash", "\\|", "=1", "end\\"] : [],
                updatedAt: UTCInstant(millisecondsSinceEpoch: 0), revision: 1)
        }
        let bytes = CatalogueCSV.write(items)
        let rows = try CatalogueCSV.parse(bytes)
        #expect(drafts(rows) == items.map(\.draft))
        // What is empty in the file becomes empty in the catalogue.
        #expect(
            rows.allSatisfy { row in
                guard case .item(let item) = row.content else { return false }
                return item.details.website != .keep && item.details.noticeDays != .keep
            })
        #expect(rows.map(\.number) == Array(2...8))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix(Self.header + "\r\n"))
        #expect(text.split(separator: "\r\n").dropFirst().allSatisfy { !"=+-@".contains($0.first ?? " ") })
    }

    @Test func anImportOfItsOwnExportChangesNothing() throws {
        let fixture = try BackendFixture()
        let catalogue = CatalogueStore(context: fixture.context)
        try catalogue.insert(.sample("=1+1", slug: "a", aliases: ["|", "@x"]), id: nil, by: .editor)
        try catalogue.insert(.sample(slug: "b"), id: nil, by: .editor)
        let rows = try CatalogueCSV.parse(CatalogueCSV.write(try catalogue.loadSnapshot().items))
        let report = try catalogue.importItems(rows, by: .editor, dryRun: false)
        #expect(report.unchanged == 2)
        #expect(report.failed.isEmpty)
    }

    @Test func takesColumnsInAnyOrderAndKnowsWhichAreMissing() throws {
        let rows = try parse(
            "\u{FEFF}currency,slug,billing_cycle,name,typical_amount,category,aliases\nEUR,x,every:10d,Café ☕,12.34,food,a|b\n"
        )
        let draft = try #require(drafts(rows).first)
        #expect(draft.name == "Café ☕")
        #expect(draft.typicalAmount == Money(minorUnits: 1234, currency: .eur))
        #expect(draft.billingCycle.wire == "every:10d")
        #expect(draft.aliases == ["a", "b"])
        guard case .item(let item)? = rows.first?.content else {
            Issue.record("the row could not be read")
            return
        }
        #expect(item.details.website == .keep && item.details.cancelURL == .keep && item.details.noticeDays == .keep)
        #expect(item.details.aliases == .set(["a", "b"]))
        #expect(try parse(Self.header + "\n").isEmpty)
    }

    @Test func namesEveryFieldOfARowThatCannotBeRead() throws {
        let rows = try parse(
            """
            name,slug,category,typical_amount,currency,billing_cycle,notice_days
            A,a,food,12.345,EUR,monthly,
            B,b,food,"12,34",EUR,sometimes,-3
            C,c,food,12.34,eur,monthly,1e2
            D,d,food
            E,e,food,12.34,EUR,monthly,3
            """)
        #expect(errors(rows[0]) == ["#/line/2/typical_amount too_many_decimals"])
        #expect(
            errors(rows[1]) == [
                "#/line/3/typical_amount invalid_amount", "#/line/3/billing_cycle unknown_cycle",
                "#/line/3/notice_days invalid_type",
            ])
        #expect(errors(rows[2]) == ["#/line/4/currency unknown_currency", "#/line/4/notice_days invalid_type"])
        #expect(errors(rows[3]) == ["#/line/5 wrong_field_count"])
        #expect(drafts(rows).map(\.name) == ["E"])
        #expect(rows.map(\.number) == [2, 3, 4, 5, 6])
    }

    @Test(arguments: [
        ("", FaultCode.required, 1, nil),
        ("name,slug,price", .unknownField, 1, 3),
        ("name;slug;category", .unknownField, 1, 1),
        ("\nname,slug,name", .duplicate, 2, 3),
        ("name,slug,category,typical_amount,currency", .required, 1, nil),
        (Self.header + "\nx,\"y", .unterminatedQuote, 2, 2),
        (Self.header + "\nx,y\"z", .misplacedQuote, 2, 2),
    ])
    func refusesAFileWhoseStructureCannotBeTrusted(
        text: String, kind: FaultCode, line: Int, column: Int?
    ) {
        #expect {
            try parse(text)
        } throws: { error in
            guard let error = error as? CatalogueCSVError else { return false }
            return error.kind == kind && error.line == line && error.column == column && !error.detail.isEmpty
        }
    }

    @Test func refusesBytesThatAreNotUTF8() {
        #expect {
            try CatalogueCSV.parse(Array((Self.header + "\n").utf8) + [0x61, 0xFF])
        } throws: { error in
            (error as? CatalogueCSVError)?.kind == .invalidUTF8 && (error as? CatalogueCSVError)?.line == 2
        }
    }
}
