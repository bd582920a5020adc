import BackendTestKit
import Catalogue
import Foundation
import SubGuardContract
import SubGuardDomain
import Testing

struct CatalogueCSVTests {
    private static let header = CatalogueColumn.all.map(\.name).joined(separator: ",")

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
            let draft = CatalogueDraft(
                name: name, slug: "slug-\(index)", category: "streaming",
                typicalAmount: index == 2 ? yen : Money(minorUnits: 1234, currency: .eur),
                billingCycle: index == 3 ? .lifetime : .monthly, website: index == 4 ? nil : "https://example.com/a,b",
                noticeDays: index == 5 ? 0 : nil,
                aliases: index.isMultiple(of: 2) ? ["x|y", "back\\slash", "\\|", "=1", "end\\"] : [])
            return CatalogueItem(
                id: makeID(UInt64(index)), draft, updatedAt: UTCInstant(millisecondsSinceEpoch: 0), revision: 1)
        }
        let bytes = CatalogueCSV.write(items)
        let rows = try CatalogueCSV.parse(bytes)
        #expect(drafts(rows) == items.map(\.draft))
        // What is empty in the file becomes empty in the catalogue.
        #expect(
            rows.allSatisfy { row in
                guard case .item(let item) = row.content else { return false }
                return item.details.optional.website != .keep && item.details.optional.noticeDays != .keep
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
            """
            \u{FEFF}currency,slug,billing_cycle,name,typical_amount,category,aliases
            EUR,x,every:10d,Café ☕,12.34,food,a|b\n
            """
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
        let fields = item.details.optional
        #expect(fields.website == .keep && fields.cancelURL == .keep && fields.noticeDays == .keep)
        #expect(fields.aliases == .set(["a", "b"]))
        #expect(try parse(Self.header + "\n").isEmpty)
    }

    @Test func namesEveryFieldOfARowThatCannotBeRead() throws {
        let rows = try parse(
            """
            name,slug,category,typical_amount,currency,billing_cycle,notice_days
            A,a,food,12.345,EUR,monthly,
            B,b,food,"1,234",EUR,sometimes,-3
            C,c,food,12.34,euro,monthly,1e2
            D,d,food
            E,e,food,12.34,EUR,monthly,3
            """)
        #expect(errors(rows[0]) == ["#/line/2/typical_amount too_many_decimals"])
        #expect(
            errors(rows[1]) == [
                "#/line/3/typical_amount invalid_amount", "#/line/3/billing_cycle unknown_cycle",
                "#/line/3/notice_days out_of_range",
            ])
        #expect(errors(rows[2]) == ["#/line/4/currency unknown_currency", "#/line/4/notice_days invalid_type"])
        #expect(errors(rows[3]) == ["#/line/5 wrong_field_count"])
        #expect(drafts(rows).map(\.name) == ["E"])
        #expect(rows.map(\.number) == [2, 3, 4, 5, 6])
    }

    @Test(arguments: [
        ("", FaultCode.required, 1, nil),
        ("price;amount", .required, 1, nil),
        ("slug,price", .required, 1, nil),
        ("\nname,slug,name", .duplicate, 2, 3),
        ("name,category,typical_amount,currency", .required, 1, nil),
        (Self.header + "\nx,\"y", .unterminatedQuote, 2, 2),
        (Self.header + "\nx,y\"z", .misplacedQuote, 2, 2),
        (Self.header + "\nx," + String(repeating: "\u{1F1E6}", count: 65), .tooManyMarks, 2, 2),
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
            try CatalogueCSV.parse([0xEF, 0xBB, 0xBF] + Array((Self.header + "\n").utf8) + [0x61, 0x81])
        } throws: { error in
            (error as? CatalogueCSVError)?.kind == .invalidUTF8 && (error as? CatalogueCSVError)?.line == 2
        }
    }

    // MARK: As spreadsheets write it

    private static let french = """
        sep=;
        Nom;Name;Slug;Category;Typical Amount;CURRENCY;billing-cycle;;website
        ;;;;;;;;
        x;Écho; echo ;Streaming;1 299,00;eur;Monthly;;https://example.com;;
        y;Ciné;cine;streaming;9,9;EUR;yearly;;

        """

    private func encoded(_ text: String, _ encoding: String.Encoding, mark: [UInt8] = []) throws -> [UInt8] {
        mark + Array(try #require(text.data(using: encoding)))
    }

    @Test func readsFilesOfSpreadsheetsOfOtherCountries() throws {
        let text = Self.french.replacing("\n", with: "\r\n")
        for bytes in [
            try encoded(text, .utf8), try encoded(text, .utf8, mark: [0xEF, 0xBB, 0xBF]),
            try encoded(text, .windowsCP1252), try encoded(text, .utf16LittleEndian, mark: [0xFF, 0xFE]),
            try encoded(text, .utf16BigEndian, mark: [0xFE, 0xFF]),
            try encoded(text.replacing("sep=;\r\n", with: ""), .utf8),
            try encoded(text.replacing("sep=;", with: "sep=\t").replacing(";", with: "\t"), .utf8),
        ] {
            var ignored: [String] = []
            let rows = try CatalogueCSV.parse(bytes) { ignored = $0 }
            #expect(ignored == ["Nom"])
            let drafts = drafts(rows)
            #expect(drafts.map(\.name) == ["Écho", "Ciné"] && drafts.map(\.slug) == ["echo", "cine"])
            #expect(drafts.map(\.typicalAmount.decimal) == ["1299.00", "9.90"])
            #expect(
                drafts.map(\.billingCycle) == [.monthly, .yearly]
                    && drafts.map(\.category) == ["streaming", "streaming"])
            #expect(drafts[0].website == "https://example.com")
        }
    }

    @Test(arguments: [
        ("29,00", "29.00"), ("29,5", "29.50"), ("1.299,00", "1299.00"), ("1,299.00", "1299.00"),
        ("1'299.00", "1299.00"),
        ("1\u{202F}299,00", "1299.00"), ("12.34", "12.34"), ("29", "29.00"), ("1.234.567,89", "1234567.89"),
    ])
    func readsAmountsAsSpreadsheetsShowThem(_ cell: String, _ amount: String) throws {
        let rows = try parse(
            "name\tslug\tcategory\ttypical_amount\tcurrency\tbilling_cycle\nA\ta\tnews\t\(cell)\tEUR\tmonthly\n")
        #expect(drafts(rows).map(\.typicalAmount.decimal) == [amount])
    }

    @Test(arguments: ["1,299", "1.2.3", "1,29.00", "1.29,00", "12,345,6", "abc", ",5,"])
    func refusesAmountsThatMayMeanTwoThings(_ cell: String) throws {
        let rows = try parse(
            "name\tslug\tcategory\ttypical_amount\tcurrency\tbilling_cycle\nA\ta\tnews\t\(cell)\tEUR\tmonthly\n")
        #expect(errors(rows.first).map { $0.prefix(23) } == ["#/line/2/typical_amount"])
    }

    @Test func refusesAmountsOfMoreThan64Bytes() throws {
        func row(_ blanks: Int) throws -> CatalogueImportRow? {
            let cell = "29,00" + String(repeating: " ", count: blanks)
            return try parse(
                "name\tslug\tcategory\ttypical_amount\tcurrency\tbilling_cycle\nA\ta\tnews\t\(cell)\tEUR\tmonthly\n"
            ).first
        }
        #expect(errors(try row(59)).isEmpty)
        #expect(errors(try row(60)) == ["#/line/2/typical_amount invalid_amount"])
    }

    @Test func namesAllMissingColumnsAtOnce() throws {
        let error = #expect(throws: CatalogueCSVError.self) { try parse("name;currency\nA;EUR\n") }
        #expect(
            error?.detail.hasPrefix("The columns slug, category, typical_amount, billing_cycle are missing.") == true)
    }

    @Test func changesOnlyTheColumnsOfTheFile() throws {
        let fixture = try BackendFixture()
        let catalogue = CatalogueStore(context: fixture.context)
        let item = try catalogue.insert(.sample("Écho", slug: "echo", aliases: ["e"]), id: nil, by: .editor)
        func run(_ text: String, _ mode: CatalogueImportMode = .upsert) throws -> CatalogueImportReport {
            var options = CatalogueImportOptions()
            options.mode = mode
            options.skipsBadRows = true
            return try catalogue.importItems(try parse(text), by: .editor, options: options)
        }
        let report = try run("slug;typical_amount;currency\necho;29,00;eur\nunknown;1,00;EUR\n", .update)
        #expect((report.updated, report.inserted, report.failedCount) == (1, 0, 1))
        #expect(report.failed.first?.errors.map { "\($0.pointer) \($0.code.rawValue)" } == ["#/line/3/slug not_found"])
        let changed = try #require(try catalogue.find(item.id))
        #expect(changed.typicalAmount.decimal == "29.00" && changed.name == "Écho" && changed.aliases == ["e"])
        #expect(try run("slug;typical_amount;currency\necho;29,00;eur\n").unchanged == 1)
        // A new item needs the rest, and every complaint is made at once.
        let lacking = try run("slug;currency\nnew;EUR\n")
        #expect(lacking.failed.first?.errors.count == 4 && lacking.inserted == 0)
        let header = "name,slug,category,typical_amount,currency,billing_cycle"
        let whole = header + "\nEcho 2,echo,news,1.00,EUR,monthly\nNeu,neu,news,1.00,EUR,monthly\n"
        let created = try run(whole, .create)
        #expect((created.inserted, created.updated, created.failedCount) == (1, 0, 1))
        let updated = try run(whole.replacing("Neu,neu", with: "Alt,alt"), .update)
        #expect((updated.inserted, updated.updated, updated.failedCount) == (0, 1, 1))
    }

    @Test func readsBackWhatItWroteForExcel() throws {
        let fixture = try BackendFixture()
        let catalogue = CatalogueStore(context: fixture.context)
        try catalogue.insert(.sample("Écho", slug: "a", aliases: ["é|x"]), id: nil, by: .editor)
        let bytes = [0xEF, 0xBB, 0xBF] + CatalogueCSV.write(try catalogue.loadSnapshot().items)
        #expect(try catalogue.importItems(try CatalogueCSV.parse(bytes), by: .editor, dryRun: false).unchanged == 1)
    }
}
