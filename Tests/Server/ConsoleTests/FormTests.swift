import HTML
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@testable import Console

@Suite struct FormTests {
    private let english = ConsoleWords(.english)

    private static let item = DeclaredForm(
        FormDeclaration(of: .updateCatalogueItem),
        [
            .init("name", "Name", hint: "(optional)"), .init("typical_amount", "Times"), .init("currency", "Status"),
            .init("website", "Search"), .init("notice_days", "Order"),
            .init("aliases", "Nearest item", hint: "One on each line."),
        ])

    private func json(_ form: DeclaredForm, _ body: String) throws -> String {
        let fields = try FormFields(urlencoded: Array(body.utf8))
        return String(decoding: JSONValue.object(form.json(fields)).serialized(), as: UTF8.self)
    }

    @Test func readsKindsFromTheContract() throws {
        let rule = FormDeclaration(of: .createAlertRule)
        #expect(rule["name"]?.isRequired == true && rule["window"]?.takesNull == true)
        #expect(rule["muted_until"]?.kind == .instant)
        guard case .choice(let figures)? = rule["figure"]?.kind else {
            Issue.record("figure is no choice")
            return
        }
        #expect(figures.contains("crash_free_sessions"))
        let item = FormDeclaration(of: .createCatalogueItem)
        #expect(
            item["typical_amount"]?.kind == .amount
                && item["notice_days"]?.kind == .integer(minimum: "0", maximum: "365"))
        #expect(item["aliases"]?.kind == .lines(areNumbers: false) && item["slug"]?.isRequired == false)
        #expect(item["website"]?.kind == .link(maximumLength: 500))
        // One of two objects.
        #expect(FormDeclaration(of: .approveSuggestion)["category"] != nil)
        #expect(FormDeclaration(of: .approveSuggestion, variant: 1).inputs.map(\.name) == ["merge_into"])
        // Every field of the form is declared.
        for field in Self.item.fields { #expect(Self.item.declaration[field.name] != nil, "\(field.name)") }
    }

    @Test func readsWhatWasTyped() throws {
        #expect(
            try json(
                Self.item,
                "name=+A+&typical_amount=1+234%2C50&currency=EUR&website=&notice_days=30&aliases=B%0D%0A%0D%0A+C+&x=1")
                == #"{"name":" A ","typical_amount":"1234.50","currency":"EUR","website":null,"notice_days":30,"#
                + #""aliases":["B","C"]}"#)
        // No number stays a text, and what cannot be cleared stays an empty text: the API names the field.
        #expect(
            try json(Self.item, "name=&typical_amount=x&notice_days=ten")
                == #"{"name":"","typical_amount":"x","currency":"","website":null,"notice_days":"ten","aliases":[]}"#)
        let new = DeclaredForm(
            FormDeclaration(of: .createAlertRule),
            [
                .init("name", "Name"), .init("window", "Order"), .init("minimum_sample", "Times"),
                .init("muted_until", "Latest"),
            ])
        #expect(
            try json(new, "name=A&window=&minimum_sample=&muted_until=2026-11-20T10:00")
                == #"{"name":"A","muted_until":"2026-11-20T10:00:00Z"}"#)
    }

    @Test func showsValuesFaultsAndLinks() throws {
        var values = FormValues(["name": "<b>\"'&", "aliases": ["x", "😀"], "currency": "EUR", "notice_days": 3])
        values["website"] = "javascript:alert(1)"
        let faults = FormFaults([
            Fault("#/name", .required, "Must be given."),
            Fault("#/aliases/1", .duplicate, "Must differ from the name."),
        ])
        for (words, sentence, line) in [
            (english, "Must be given.", "Line 2: Must differ"),
            (ConsoleWords(.french), "À renseigner.", "Ligne 2\u{202F}: Doit"),
        ] {
            var html = HTMLWriter()
            Self.item.writeSummary(faults, words, to: &html)
            Self.item.write(values, faults, words, to: &html)
            let page = String(decoding: html.bytes, as: UTF8.self)
            expect(
                page,
                contains: [
                    "href=\"#f-name\"", "role=\"alert\"", sentence, line, "value=\"&lt;b&gt;&quot;&#39;&amp;\"",
                    "x\n😀</textarea>", "aria-invalid=\"true\" aria-describedby=\"f-name-hint f-name-fault\"",
                    "inputmode=\"decimal\"", "<option value=\"EUR\" selected>", "max=\"365\"",
                ], lacks: ["<b>", "href=\"javascript", "lang=\"en\""])
        }
    }

    /// Both languages say a fault from its values, in their own number format.
    @Test func saysBoundsInBothLanguages() {
        let french = ConsoleWords(.french)
        let length = Fault("#/name", .outOfRange, "Must have \(1) to \(1200) characters.")
        #expect(length.detail == "Must have 1 to 1200 characters.")
        #expect(french.sentence(length) == "Doit avoir de 1 à 1\u{202F}200 caractères.")
        #expect(ConsoleWords(.english).sentence(length) == "Must have 1 to 1,200 characters.")
        let words = "a.b, c"
        #expect(
            french.sentence(Fault("#/role", .unknownValue, "Must be one of \(words)."))
                == "Doit être l’un de\u{202F}: a.b, c.")
        #expect(
            french.sentence(Fault("#/line/3/name", .required, "Must not be empty."))
                == "Ligne 3\u{202F}: Ne peut pas être vide.")
    }

    @Test func offersBothVersionsAfterALostRace() {
        let page = LostRacePage(
            section: .overview, name: "Netflix", form: Self.item,
            mine: FormValues(["name": "A", "website": .null, "currency": "EUR", "aliases": ["x"]]),
            present: FormValues(["name": "B", "website": "https://b.example", "currency": "EUR", "aliases": ["x"]]),
            base: FormValues(["name": "C", "website": .null]), action: HTMLLink("console"), cancel: HTMLLink("console"),
            hidden: [("revision", "7")])
        let html = String(decoding: page.page(ConsoleFrame(words: english)), as: UTF8.self)
        expect(
            html,
            contains: [
                "name=\"name\" value=\"A\" checked", "name=\"name\" value=\"B\"", "name=\"revision\" value=\"7\"",
                // Only the other one has changed it.
                "name=\"website\" value=\"https://b.example\" checked",
                "type=\"hidden\" name=\"currency\" value=\"EUR\"", "type=\"hidden\" name=\"aliases\" value=\"x\"",
            ])
    }
}

private func expect(
    _ page: String, contains parts: [String], lacks others: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for part in parts { #expect(page.contains(part), "\(part)", sourceLocation: sourceLocation) }
    for part in others { #expect(!page.contains(part), "\(part)", sourceLocation: sourceLocation) }
}
