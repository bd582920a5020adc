import SubGuardDomain
import Testing
import TextCoding

@Suite struct CatalogueDraftTests {
    private static let valid = CatalogueDraft(
        name: "  L'Équipe \"Premium\" ", slug: "l-equipe", category: "news_press",
        typicalAmount: Money(minorUnits: 1234, currency: .eur), billingCycle: .monthly,
        website: "https://www.lequipe.fr/", cancelURL: "https://abo.lequipe.fr:8443/fin?x=%C3%A9#top", noticeDays: 30,
        aliases: ["lequipe", " Équipe TV "])

    @Test func acceptsAndTrims() throws {
        let draft = try Self.valid.validated()
        #expect(draft.name == "L'Équipe \"Premium\"")
        #expect(draft.aliases == ["lequipe", "Équipe TV"])
        #expect(draft.slug == Self.valid.slug)
        #expect(try draft.validated() == draft)
    }

    @Test func acceptsTheLeastThereIs() throws {
        let draft = CatalogueDraft(
            name: "🎮", slug: "a", category: "x", typicalAmount: Money(minorUnits: 0, currency: .jpy),
            billingCycle: .lifetime)
        #expect(try draft.validated() == draft)
    }

    /// Each optional field is filled by a merge, and reverted by its undo unless it was changed since.
    @Test func mergesEveryOptionalField() {
        func missing(_ draft: CatalogueDraft) -> [String] {
            Mirror(reflecting: draft).children.compactMap { field in
                let mirror = Mirror(reflecting: field.value)
                return mirror.displayStyle == .optional && mirror.children.isEmpty ? field.label : nil
            }
        }
        let bare = CatalogueDraft(
            name: "a", slug: "a", category: "x", typicalAmount: Self.valid.typicalAmount, billingCycle: .monthly)
        #expect(missing(Self.valid).isEmpty && !missing(bare).isEmpty)
        var merged = bare
        merged.fill(from: Self.valid)
        #expect(missing(merged).isEmpty)
        var later = merged
        later.noticeDays = 12
        later.fill(from: Self.valid)
        #expect(later.noticeDays == 12)
        later.revert(to: bare, from: merged)
        #expect(later.noticeDays == 12)
        merged.revert(to: bare, from: merged)
        #expect(merged == bare)
    }

    /// A file has a column for each field, whatever is added to the draft.
    @Test func writesAndReadsEveryColumn() {
        let draft = try? Self.valid.validated()
        let columns = CatalogueColumn.all.map(\.name)
        // The amount has a second column for its currency.
        #expect(columns.count == draft.map { Mirror(reflecting: $0).children.count + 1 })
        var writer = CSVWriter()
        writer.record(columns)
        writer.record(CatalogueColumn.all.compactMap { column in draft.map(column.text) })
        #expect(CatalogueDraft.all(csv: writer.bytes) == [draft])
    }

    @Test func listsEveryBadField() {
        let draft = CatalogueDraft(
            name: " \n ", slug: "L'Équipe", category: "News", typicalAmount: Money(minorUnits: -1, currency: .eur),
            billingCycle: .daily, website: "http://lequipe.fr", cancelURL: "https://", noticeDays: 366,
            aliases: ["ok", "", "OK", "a\u{7}b"])
        let errors = faults(draft)
        #expect(
            errors.map(\.pointer) == [
                "name", "slug", "category", "typical_amount", "website", "cancel_url", "notice_days", "aliases/1",
                "aliases/2", "aliases/3",
            ])
        #expect(
            errors.map(\.code) == [
                .required, .invalidFormat, .invalidFormat, .outOfRange, .invalidURL, .invalidURL,
                .outOfRange, .required, .duplicate,
                .invalidCharacters,
            ])
        #expect(errors.allSatisfy { !$0.detail.isEmpty })
    }

    @Test(
        arguments: [
            ("x", nil), (String(repeating: "é", count: 120), nil), (String(repeating: "é", count: 121), .outOfRange),
            ("", .required), ("\u{A0}\u{3000}", .required),
            ("a\nb", .invalidCharacters), ("a\u{0}b", .invalidCharacters), ("a\u{85}b", .invalidCharacters),
            ("a\u{202E}b", .invalidCharacters),
            ("a\u{2028}b", .invalidCharacters), ("a\u{2066}b", .invalidCharacters),
            ("a\u{FFFE}b", .invalidCharacters), ("a\u{E000}b", .invalidCharacters),
            ("👩‍💻 Code", nil), ("a" + String(repeating: "\u{301}", count: 120), .outOfRange),
            ("  \(String(repeating: "a", count: 120))  ", nil),
        ] as [(String, FaultCode?)])
    func boundsTheName(_ name: String, _ code: FaultCode?) {
        var draft = Self.valid
        draft.name = name
        #expect(faults(draft).map(\.code) == (code.map { [$0] } ?? []))
    }

    @Test(
        arguments: [
            ("a", nil), ("a-b-3", nil), ("0", nil), (String(repeating: "a", count: 80), nil),
            (String(repeating: "a", count: 81), .outOfRange), ("", .required),
            ("-a", .invalidFormat), ("a-", .invalidFormat), ("a--b", .invalidFormat), ("A", .invalidFormat),
            ("a_b", .invalidFormat), ("é", .invalidFormat),
            ("a b", .invalidFormat), ("a\n", .invalidFormat), ("-", .invalidFormat),
        ] as [(String, FaultCode?)])
    func boundsTheSlug(_ slug: String, _ code: FaultCode?) {
        var draft = Self.valid
        draft.slug = slug
        #expect(faults(draft).map(\.code) == (code.map { [$0] } ?? []))
    }

    @Test(
        arguments: [
            ("a", nil), ("_", nil), ("music_2", nil), (String(repeating: "a", count: 40), nil),
            (String(repeating: "a", count: 41), .outOfRange), ("", .required),
            ("Music", .invalidFormat), ("a-b", .invalidFormat), ("a b", .invalidFormat), ("é", .invalidFormat),
        ] as [(String, FaultCode?)])
    func boundsTheCategory(_ category: String, _ code: FaultCode?) {
        var draft = Self.valid
        draft.category = category
        #expect(faults(draft).map(\.code) == (code.map { [$0] } ?? []))
    }

    @Test(arguments: [
        ("0.00", "EUR", true), ("1000000000.00", "EUR", true), ("1000000000.01", "EUR", false), ("-0.01", "EUR", false),
        ("1000000000", "JPY", true),
        ("1000000001", "JPY", false), ("1000000000.000", "KWD", true), ("1000000000.001", "KWD", false),
    ])
    func boundsTheAmount(_ amount: String, _ code: String, _ isValid: Bool) throws {
        var draft = Self.valid
        draft.typicalAmount = try Money(decimal: amount, currency: #require(Currency(code: code)))
        #expect(faults(draft).map(\.pointer) == (isValid ? [] : ["typical_amount"]))
    }

    @Test func boundsTheNoticeAndTheAliases() {
        var draft = Self.valid
        for (days, isValid) in [(0, true), (365, true), (-1, false), (366, false), (Int.max, false)] {
            draft.noticeDays = days
            #expect(faults(draft).map(\.pointer) == (isValid ? [] : ["notice_days"]))
        }
        draft = Self.valid
        draft.aliases = (0..<20).map { "alias \($0)" }
        #expect(faults(draft).isEmpty)
        draft.aliases.append("one more")
        #expect(faults(draft).map(\.code) == [.outOfRange])
        draft.aliases = ["l equipe PREMIUM"]
        #expect(faults(draft).map(\.code) == [.duplicate])
        draft.aliases = ["Éa", "ea ", "fb"]
        #expect(faults(draft).map(\.pointer) == ["aliases/1"])
        draft.aliases = ["Équipe 🎮", "🎮", "🎵"]
        #expect(faults(draft).isEmpty)
    }

    private func faults(_ draft: CatalogueDraft) -> [Fault] {
        do throws(FaultList) {
            _ = try draft.validated()
            return []
        } catch {
            return Array(error)
        }
    }
}
