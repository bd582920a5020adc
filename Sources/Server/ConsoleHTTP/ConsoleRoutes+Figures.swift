import BackendHTTP
import Catalogue
import Console
import HTTPServer
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// Overview, funnel, cohorts, ranking and series.
extension ConsoleRoutes {
    private static let days: Set<String> = ["from", "to"]

    func figureBindings() -> [RouteBinding] {
        [
            gate.page("/console", of: []) { visit in try overview(visit) },
            gate.page("/console/funnel", of: [.funnel]) { visit in
                var visit = visit
                let query = try visit.read(FunnelQuery.self, correcting: Self.days)
                let report = try insights.funnel(query.range, within: query.window, by: query.dimension)
                if query.format == .csv { return try csv(FigureCSV.write(report), report.standing, "funnel", visit) }
                return visit.show(FunnelPage(report, today: report.standing.calendar.day(of: gate.now())))
            },
            gate.page("/console/cohorts", of: [.cohorts]) { visit in
                var visit = visit
                let query = try visit.read(CohortQuery.self, correcting: Self.days)
                let report = try insights.cohorts(query.range, by: query.step)
                if query.format == .csv { return try csv(FigureCSV.write(report), report.standing, "cohorts", visit) }
                return visit.show(CohortsPage(report, today: report.standing.calendar.day(of: gate.now())))
            },
            gate.page("/console/ranking", of: [.ranking]) { visit in
                let query = try visit.read(RankingQuery.self)
                let report = try ranking.ranking(limit: query.limit)
                if query.format == .csv { return try csv(FigureCSV.write(report), report.standing, "ranking", visit) }
                let view = try publisher.freshView()
                return visit.show(RankingPage(report, limit: query.limit) { view.item($0)?.category })
            },
            gate.page("/console/series", of: [.series]) { visit in
                var visit = visit
                if !visit.query.contains(where: { $0.name == "figure" }) {
                    visit.query.append(("figure", "active_30d"))
                }
                let names = visit.query.map(\.name)
                if !names.contains("from"), !names.contains("to"), !names.contains("step") {
                    // The API's default is a day longer than the page's "last 30 days".
                    let today = try insights.today()
                    visit.query.append(("from", today.adding(days: -29).iso))
                    visit.query.append(("to", today.iso))
                }
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

    private func overview(_ visit: ConsoleVisit) throws -> Response {
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
        return visit.show(
            OverviewPage(figures: figures, widgets: try widgets(visit), attention: try attention(visit)))
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
