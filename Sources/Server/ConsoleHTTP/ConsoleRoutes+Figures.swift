import BackendHTTP
import Catalogue
import Console
import Foundation
import HTTPServer
import HTTPTypes
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import Synchronization
import Telemetry

/// Overview, funnel, cohorts, ranking and series.
extension ConsoleRoutes {
    private static let days: Set<String> = ["from", "to"]

    func figureBindings() -> [RouteBinding] {
        [
            gate.page("/console", of: []) { try overview($0) },
            gate.get("/console/funnel", of: [.funnel]) { visit in
                let query = try visit.read(FunnelQuery.self, correcting: Self.days)
                let report = try insights.funnel(query.range, within: query.window, by: query.dimension)
                if query.format == .csv { return try csv(FigureCSV.write(report), report.standing, "funnel", visit) }
                return visit.show(FunnelPage(report, today: report.standing.calendar.day(of: gate.now())))
            },
            gate.get("/console/cohorts", of: [.cohorts]) { visit in
                let query = try visit.read(CohortQuery.self, correcting: Self.days)
                let report = try insights.cohorts(query.range, by: query.step)
                if query.format == .csv { return try csv(FigureCSV.write(report), report.standing, "cohorts", visit) }
                return visit.show(CohortsPage(report, today: report.standing.calendar.day(of: gate.now())))
            },
            gate.get("/console/ranking", of: [.ranking]) { visit in
                let query = try visit.read(RankingQuery.self)
                let report = try ranking.ranking(limit: query.limit)
                if query.format == .csv { return try csv(FigureCSV.write(report), report.standing, "ranking", visit) }
                let view = try publisher.freshView()
                return visit.show(SimplePage.ranking(report, limit: query.limit) { view.item($0)?.category })
            },
            gate.get("/console/series", of: [.series]) { visit in
                visit.query = visit.query.defaulting("figure", "active_30d")
                // The API's default is a day longer than the page's "last 30 days".
                if visit.parameter("step") == nil { visit.chooseLastDays(through: try insights.today()) }
                var query = try visit.read(SeriesQuery.self, correcting: Self.days)
                // Which days are too far apart depends on the step.
                let report = try visit.correct(&query, isPage: query.format != .csv) { query in
                    try insights.series(of: query.figure, from: query.from, to: query.to, step: query.step)
                }
                if query.format == .csv { return try csv(FigureCSV.write(report), report.standing, "series", visit) }
                return visit.show(SeriesPage(report, today: report.standing.calendar.day(of: gate.now())))
            },
        ]
    }

    private func csv(
        _ body: [UInt8], _ standing: FigureStanding, _ name: String, _ visit: ConsoleVisit
    ) throws -> Response {
        try InsightRoutes.csv(body, standing, name: name).response(for: visit.request)
    }

    private func overview(_ visit: ConsoleVisit) throws -> OverviewPage {
        var figures: OverviewPage.Figures?
        if visit.mayCall(.dashboard), visit.mayCall(.series) {
            let dashboard = try insights.dashboard()
            var series: [Dashboard.Name: Series] = [:]
            for (name, figure) in OverviewPage.seriesNames {
                guard let figure = SeriesFigure(rawValue: figure) else { continue }
                series[name] = try insights.series(of: figure)
            }
            let removals = try SeriesFigure(rawValue: "subscriptions_removed").map { try insights.series(of: $0) }
            figures = (dashboard, series, removals)
        }
        return OverviewPage(figures: figures, widgets: try widgets(visit), attention: try attention(visit))
    }

    private func widgets(_ visit: ConsoleVisit) throws -> OverviewWidgets? {
        guard visit.mayCall(.funnel), visit.mayCall(.cohorts), visit.mayCall(.ranking) else { return nil }
        let today = try insights.today()
        let view = try publisher.freshView()
        return OverviewWidgets(
            funnel: try insights.funnel(OverviewWidgets.funnelDays(through: today)),
            cohorts: try insights.cohorts(OverviewWidgets.cohortDays(through: today)),
            ranking: try ranking.ranking(limit: OverviewWidgets.places)
        ) { view.item($0)?.category }
    }

    /// What needs attention, as far as the visitor may see it, the most pressing first.
    private func attention(_ visit: ConsoleVisit) throws -> [Attention] {
        var found: [Attention] = []
        func count(_ number: Int64?, _ item: (Int64) -> Attention) {
            guard let number else { return }
            let item = item(number)
            if item.isCounted { gate.waiting.note(item.section, number) }
            if number > 0 { found.append(item) }
        }
        if visit.mayCall(.alertRules) {
            count(Int64(try alerts.rules().rules.count { $0.current.state == .firing }), Attention.firingRules)
        }
        if visit.mayCall(.alerts) {
            count(try alerts.depths()[.dead], Attention.undeliveredAlerts)
            if alerts.targets.isEmpty { found.append(.noChannel) }
        }
        if visit.isOwner { found += try operations.attention() }
        if visit.mayCall(.adminSuggestions) { count(try suggestions.counts()[.pending], Attention.suggestions) }
        if visit.mayCall(.crashGroups) { count(try crashes.counts()[.open], Attention.crashes) }
        return found
    }
}

/// The event explorer: raw events by day, in the event sink or the log. It counts, and shows no single event, so it
/// needs the permission of the figures and no entry in the audit log.
extension ConsoleRoutes {
    func eventBindings() -> [RouteBinding] {
        [gate.get("/console/events", of: [.series]) { try events(&$0) }]
    }

    private func events(_ visit: inout ConsoleVisit) throws -> Response {
        let today = gate.now().day
        visit.chooseLastDays(through: today)
        let isDownload = visit.query.contains { $0.name == "format" }
        var query = try visit.read(EventQuery.self, correcting: ["from", "to", "item"])
        let (selection, item) = try visit.correct(&query, isPage: !isDownload) { query in
            let view = try publisher.freshView()
            var selection = EventSelection(
                range: try SeriesRange(from: query.from, to: query.to, step: .day, today: today))
            selection.event = query.event?.rawValue
            selection.platform = query.platform?.rawValue
            let item = try query.item.map { text in
                guard let id = view.identify(text) else {
                    throw BackendError.invalid([
                        Fault("item", .unknownValue, "Must be an item of the catalogue: its name, slug or id.")
                    ])
                }
                return id
            }
            selection.items = item.map { Set([$0] + view.mergedItems(into: $0)) }
            return (selection, item.map { view.item($0)?.name ?? $0.lowercased })
        }
        return try response(to: visit, selection, item: item, query.format)
    }

    private func response(
        to visit: ConsoleVisit, _ selection: EventSelection, item: String?, _ format: FigureFormat
    ) throws -> Response {
        let outcome = try explorer.count(selection)
        let result: EventsPage.Result =
            switch outcome {
            case .counted(let counts, let isSinkAway): .counted(counts, isSinkAway: isSinkAway)
            case .tooMany: .tooMany
            case .busy: .busy
            }
        if format == .csv {
            guard case .counted(let counts, _) = outcome else {
                throw HTTPFailure(
                    .notReady, "The events could not be counted. Choose fewer days, or try again.",
                    fields: [.retryAfter: "10"])
            }
            let table = FigureCSV.write(counts, selection, item: item)
            return try InsightRoutes.csv(table, FigureStanding(counts), name: "events").response(for: visit.request)
        }
        let page = EventsPage(selection, item: item, result, today: gate.now().day)
        return visit.show(page)
    }
}

extension CatalogueView {
    /// The item that a text names: its id, slug or name. An item merged into another stands for that one.
    func identify(_ text: String) -> UUID? {
        let wanted = text.lowercased()
        if let id = UUID(strict: wanted) {
            var (id, seen) = (id, Set<UUID>())
            while let primary = tombstone(id)?.mergedInto, seen.insert(id).inserted { id = primary }
            return id
        }
        return (items.first { $0.slug == wanted } ?? items.first { $0.name.lowercased() == wanted })?.id
    }

    /// The items that were merged into one, also by way of others.
    func mergedItems(into primary: UUID) -> [UUID] {
        snapshot.tombstones.map(\.id).filter { $0 != primary && identify($0.lowercased) == primary }
    }
}

/// How much waits in areas of the console, as its pages counted it last: the navigation counts nothing itself. Another
/// server of the same database has its own.
final class WaitingCounts: Sendable {
    /// How long a count is shown.
    private static let seconds: Int64 = 600

    private let noted = Mutex<[ConsoleSection: (count: Int64, at: UTCInstant)]>([:])
    private let now: @Sendable () -> UTCInstant

    init(now: @escaping @Sendable () -> UTCInstant) { self.now = now }

    func note(_ section: ConsoleSection, _ count: Int64) {
        let instant = now()
        noted.withLock { $0[section] = (count, instant) }
    }

    /// Drops the count of the area that a form may have changed.
    func forget(_ path: [String]) {
        guard path.count > 1, let section = ConsoleSection(rawValue: path[1]) else { return }
        noted.withLock { $0[section] = nil }
    }

    /// The counts of the last ten minutes.
    var recent: [ConsoleSection: Int64] {
        let earliest = now().adding(seconds: -Self.seconds)
        return noted.withLock { $0.filter { $0.value.at >= earliest }.mapValues(\.count) }
    }
}
