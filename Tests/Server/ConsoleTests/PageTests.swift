import HTML
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@testable import Console
@testable import ServerAccess
@testable import Telemetry

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

    /// A tile says what the week added and which way it went; its line is of the value that it stands under.
    @Test(arguments: [
        (ConsoleLanguage.english, "+400 this week", "▲\u{A0}17.3%", "Up 17.3%", "\u{2212}2 this week", "▼\u{A0}50.0%"),
        (
            .french, "+400 cette semaine", "▲\u{A0}17,3\u{202F}%", "En hausse de 17,3\u{202F}%",
            "\u{2212}2 cette semaine", "▼\u{A0}50,0\u{202F}%"
        ),
    ])
    func tilesSayWhatTheWeekAdded(
        _ language: ConsoleLanguage, _ gain: String, _ up: String, _ name: String, _ loss: String, _ down: String
    ) throws {
        let standing = FigureStanding(completeAt: UTCInstant(secondsSinceEpoch: 1_790_000_000), .utc)
        func figure(_ value: Int64, _ week: Int64, _ trend: Int64?) -> DashboardFigure {
            DashboardFigure(
                value: .count(value), thisWeek: .count(week), lastWeek: .count(4),
                trendPercent: trend.map { .tenths($0) })
        }
        let dashboard = Dashboard(
            standing: standing, totalUsers: figure(2_713, 400, 173), activeUsers30d: figure(900, 300, 0),
            subscriptionsTracked: figure(10, -2, -500), premiumConversions: figure(0, 0, nil),
            crashFreeSessions: .unknown)
        func series(_ name: String, _ values: [Int64]) throws -> Series {
            let first = try #require(CalendarDay(iso: "2026-11-18"))
            let last = first.adding(days: values.count - 1)
            return Series(
                standing: standing, figure: try #require(SeriesFigure(rawValue: name)),
                range: try SeriesRange(from: first, to: last, step: .day, today: last),
                points: values.enumerated().map { index, value in
                    Series.Point(on: first.adding(days: index), value: .count(value), isUnfinished: false)
                })
        }
        let figures: OverviewPage.Figures = (
            dashboard: dashboard, series: [.subscriptionsTracked: try series("subscriptions_added", [9, 1, 0, 3])],
            removals: try series("subscriptions_removed", [0, 4, 1, 2])
        )
        let words = ConsoleWords(language)
        let page = text(OverviewPage(figures: figures, attention: []).page(ConsoleFrame(words: words)))
        for part in [gain, up, "aria-label=\"\(name)\"", loss, down, "=\u{A0}0"] {
            #expect(page.contains(part), "\(part)")
        }
        // With the blank, which a checksum of an asset does not have.
        #expect(!page.contains("+300 ") && !page.contains("+0 "))
        // 13 at the end of the first day, then 3 fewer, 1 fewer, 1 more.
        let line = OverviewPage.points(.subscriptionsTracked, figures, words).compactMap(\.value)
        #expect(line == [13, 10, 9, 10])
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
        (.notFound, "Not found", "Introuvable"),
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
