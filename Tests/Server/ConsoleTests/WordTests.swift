import Operations
import PageAssets
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Telemetry
import TestKit
import Testing
import Translations

@testable import Console

@Suite struct WordTests {
    private let english = ConsoleWords(.english)
    private let french = ConsoleWords(.french)

    @Test func followsTheLanguageOfTheReader() {
        #expect(english.number(18_341) == "18,341")
        #expect(french.number(-1_234_567) == "\u{2212}1\u{202F}234\u{202F}567")
        #expect(english.figure(.tenths(-4), isPercent: true) == "\u{2212}0.4%")
        #expect(french.figure(.tenths(12_345), isPercent: true) == "1\u{202F}234,5\u{202F}%")
        #expect(english.figure(nil) == "–")
        #expect(
            english.tick(0.25) == "0.25" && french.tick(2.5) == "2,50" && english.tick(100, isPercent: true) == "100%")
        let day = CalendarDay(iso: "2026-08-01")
        #expect(day.map(english.day) == "1 Aug 2026" && day.map(french.day) == "1er août 2026")
        #expect(
            UTCInstant(rfc3339: "2026-11-20T09:05:59Z").map(french.instant) == "20 nov. 2026, 09:05 UTC")
    }

    @Test func insertsValuesOnce() {
        #expect(english.text("%1 of %2, 50%", "%2", "b") == "%2 of b, 50%")
        #expect(english.count(0, "%1 day|%1 days") == "0 days" && english.count(1, "%1 day|%1 days") == "1 day")
        #expect(
            french.count(0, "%1 day|%1 days") == "0 jour" && french["\(1200) day|\(1200) days"] == "1\u{202F}200 jours")
    }

    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("fr", "fr"), ("fr-CA,en;q=0.8", "fr"), ("de, en;q=0.5, fr;q=0.6", "fr"),
            ("en-GB, fr", "en"), ("fr;q=0", "en"), ("*", "en"), ("fr;q=x", "en"),
        ] as [(String?, String)])
    func choosesTheLanguage(_ field: String?, _ tag: String) {
        #expect(ConsoleLanguage(acceptLanguage: field).rawValue == tag)
    }

    /// A fault without a translation is said by its code, never in English.
    @Test func saysEveryFaultInFrench() {
        for code in FaultCode.allCases {
            let text = french.sentence(Fault("#/x", code, "An odd sentence."))
            #expect(text != "An odd sentence." && text != english[.fault(code)], "\(code)")
        }
        #expect(french.sentence(.problem("An odd sentence.", .lastOwner)).contains("propriétaire"))
        #expect(french.sentence(.problem("An odd sentence.")) == french["It was not accepted."])
        #expect(english.sentence(.problem("An odd sentence.", .lastOwner)) == "An odd sentence.")
    }

    /// A growth is a growth in a rule for falls too, with the sign and the decimals of the overview.
    @Test(
        arguments: [
            (-17_648, .fallsBy, "+17.6%", "+17,6\u{202F}%"), (20_049, .fallsBy, "\u{2212}20%", "\u{2212}20\u{202F}%"),
            (17_651, .risesBy, "+17.7%", "+17,7\u{202F}%"), (-50, .risesBy, "\u{2212}0.1%", "\u{2212}0,1\u{202F}%"),
            (49, .fallsBy, "0%", "0\u{202F}%"), (99_125, .below, "99.125%", "99,125\u{202F}%"),
        ] as [(Int64, AlertComparison, String, String)])
    func saysChangesWithTheirDirection(_ measured: Int64, _ comparison: AlertComparison, _ said: String, _ dit: String)
        throws
    {
        let draft = AlertRuleDraft(
            name: "R", figure: comparison.isChange ? .events : .crashFreeSessions, comparison: comparison,
            value: AlertValue(thousandths: 20_000), window: AlertWindow("24h"))
        let value = AlertValue(thousandths: measured)
        #expect(english.measured(value, of: draft) == said && french.measured(value, of: draft) == dit)
    }

    /// A third language is one more file: a page says it wherever it has a text, and English elsewhere.
    @Test func speaksAnotherLanguage() {
        let file = """
            msgid "Users"
            msgstr "Üsèrs ⟦🎉⟧"

            msgctxt "of one"
            msgid "Approved"
            msgstr "⟦Äpprövéd⟧"

            msgid "%1 day"
            msgid_plural "%1 days"
            msgstr[0] "⟦%1 däy⟧"
            msgstr[1] "⟦%1 däys⟧"
            """
        let words = ConsoleWords(
            .english, Translation(portableObject: file, context: "console", isSingular: { $0 % 10 == 1 }))
        #expect(words["Users"] == "Üsèrs ⟦🎉⟧" && words["Suggestions"] == "Suggestions")
        #expect(words["Approved"] == "Approved" && words["Approved", of: "one"] == "⟦Äpprövéd⟧")
        #expect(words.count(21, "%1 day|%1 days") == "⟦21 däy⟧" && words.count(12, "%1 day|%1 days") == "⟦12 däys⟧")
    }

    /// French has a space that does not break before high punctuation, and inside of quotation marks.
    @Test func spacesFrenchPunctuation() {
        #expect(
            Translation.frenchSpaces("Retirer « a » ? Oui : b c !")
                == "Retirer «\u{202F}a\u{202F}»\u{202F}? Oui\u{202F}: b c\u{202F}!")
    }

    /// Every purpose and retention of the privacy report has its French sentence.
    @Test func saysThePrivacyReportInFrench() {
        let registry = PrivacyRegistry(analyticsDays: 90, eventIDDays: 14, crashDays: 90)
        let sentences = registry.tables.values.flatMap { [$0.purpose, $0.retention] } + PrivacyRegistry.neverStored
        for sentence in sentences {
            #expect(french.said(sentence) != nil, "\(sentence.pattern)")
        }
    }

    /// Every action of the audit log has its French name.
    @Test func namesEveryActionInFrench() {
        for action in AuditAction.allCases { #expect(french.said(action.name) != nil, "\(action)") }
    }

    /// Deliveries store English; what other programs say stays as it is.
    @Test(
        arguments: [
            ("the response is too large", "la réponse est trop grande"),
            ("HTTP 302: redirects are not followed", "HTTP 302\u{202F}: les redirections ne sont pas suivies"),
            (
                "not tried: the channel is disabled (HTTP 410)",
                "envoi non tenté\u{202F}: le canal est désactivé (HTTP 410)"
            ),
            (
                "not tried: the channel is disabled (the response is too large)",
                "envoi non tenté\u{202F}: le canal est désactivé (la réponse est trop grande)"
            ),
            ("HTTP 404 channel_not_found", "HTTP 404 channel_not_found"), ("HTTP 500", "HTTP 500"),
            ("Couldn't connect to server", nil), ("", nil), ("HTTP 302: redirects", nil),
        ] as [(String, String?)])
    func saysWhyADeliveryFailed(_ stored: String, _ said: String?) {
        #expect(french.deliveryError(stored) == said)
        #expect(english.deliveryError(stored) == stored)
    }

    /// Every figure has its French definition.
    @Test func definesEveryFigureInFrench() {
        for name in Dashboard.Name.allCases { #expect(french.definition(name) != name.definition) }
        for figure in SeriesFigure.allCases {
            #expect(french.definition(figure) != figure.definition && !french.definition(figure).contains("%"))
        }
    }

    /// Rows of a file are counted as the file's reader counts them; members of a list begin at 0.
    @Test func saysLinesAsPeopleCount() {
        #expect(FormFaults.line(Fault("#/line/3/name", .required, "")) == 3)
        #expect(FormFaults.line(Fault("#/aliases/1", .required, "")) == 2)
        #expect(FormFaults.line(Fault("#/name", .required, "")) == nil)
    }

    /// Every figure of the backend has a name for people.
    @Test func namesEveryFigure() {
        for figure in SeriesFigure.allCases {
            #expect(
                english.name(figure) != figure.rawValue && french.name(figure) != figure.rawValue, "\(figure.rawValue)")
        }
    }

    /// Pages may not use more: the issue of a slow first paint, and a bound to notice growth.
    @Test func assetsAreSmallAndNamedByTheirContent() {
        #expect(ConsoleAsset.all.reduce(0) { $0 + $1.content.count } < 60_000)
        #expect(Set(ConsoleAsset.all.map(\.name)).count == ConsoleAsset.all.count)
        for asset in ConsoleAsset.all { #expect(asset.name.split(separator: ".").count == 3) }
    }
}
