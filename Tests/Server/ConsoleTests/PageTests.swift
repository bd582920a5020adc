import HTML
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@testable import Backend
@testable import Console

/// Pages whose sentences depend on what they show.
@Suite struct PageTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func funnel(_ counts: [Int64]) -> Funnel {
        let stages = zip(Funnel.Stage.Name.allCases, counts).map { name, count in
            Funnel.Stage(name: name, count: count, percentOfPrevious: nil, percentOfFirst: nil)
        }
        let now = UTCInstant(secondsSinceEpoch: 1_790_000_000)
        return Funnel(
            standing: FigureStanding(completeAt: now, .utc), range: DayRange(), window: nil, dimension: nil,
            all: Funnel.Part(users: counts[0], stages: stages), unfinished: nil, segments: nil)
    }

    @Test func explainsAStageWithMoreThanTheOneBefore() throws {
        let today = try #require(CalendarDay(iso: "2026-11-20"))
        let frame = ConsoleFrame(words: ConsoleWords(.english))
        let plain = text(FunnelPage(funnel([9, 5, 5, 1, 1]), today: today).page(frame))
        let rising = text(FunnelPage(funnel([9, 5, 6, 1, 1]), today: today).page(frame))
        #expect(!plain.contains("More than 100%"))
        #expect(rising.contains("More than 100% of the previous stage"))
    }

    @Test(arguments: [
        (ProblemCode.requestRunning, "Your first request is still running", "Ta première requête est en cours"),
        (.crossSite, "The request came from another page", "La requête vient d’une autre page"),
        (.forbidden, "Your role may not do this", "Ton rôle ne le permet pas"),
        (.notFound, "There is no such page", "Cette page n’existe pas"),
    ])
    func saysInPlainWordsWhatDoesNotWork(_ code: ProblemCode, _ english: String, _ french: String) {
        for (language, title) in [(ConsoleLanguage.english, english), (.french, french)] {
            let error = ErrorPage(code, detail: "Detail.", requestID: "r", isConsole: true)
            let page = text(error.page(ConsoleFrame(words: ConsoleWords(language))))
            #expect(page.contains("<h1>\(title)</h1>"))
        }
    }

    @Test(arguments: [
        ("1,000", "1000"), ("1 000", "1000"), ("1\u{202F}000\u{A0}000", "1000000"), ("1,00", "1,00"),
        ("1,0000", "1,0000"),
        ("1000", "1000"), (",000", ",000"), ("1.000", "1.000"), ("12,345", "12345"), ("1234,567", "1234,567"),
    ])
    func readsNumbersInGroupsOfThree(_ text: String, _ number: String) {
        #expect(FormDeclaration.Input.ungrouped(text) == number)
    }

    /// Roles that two people edit at once: nothing of either is lost.
    @Test func mergesRolesOfTwoPeople() {
        func role(_ name: String, _ permissions: Permission...) -> Role {
            Role(name: name, permissions: Set(permissions))
        }
        func column(_ name: String, _ permissions: Set<Permission>, _ base: Role?) -> RolesPage.Column {
            RolesPage.Column(name: name, permissions: permissions, base: base)
        }
        let (a, b, c, d) = (
            role("a", .auditRead), role("b", .auditRead), role("c", .auditRead), role("d", .auditRead)
        )
        let mine = [
            column("a", [.auditRead], a), column("b", [.auditRead, .metricsRead], b), column("c", [.auditRead], c),
            column("renamed", [.auditRead], d), column("new", [.alertsRead], nil), column("", [], nil),
        ]
        let now = [role("a", .catalogueRead), role("b", .catalogueRead), d, role("theirs", .alertsRead)]
        let race = RolesPage.Race(mine: mine, current: now)
        #expect(race.added == ["theirs"] && race.removed == ["c"])
        #expect(race.merged.map(\.name) == ["a", "b", "renamed", "theirs", "new"])
        // Only the other one changed a; both changed b.
        #expect(race.merged[0].permissions == [.catalogueRead])
        #expect(race.merged[1].permissions == [.auditRead, .metricsRead])
        #expect(race.merged[1].base == now[1])
    }
}
