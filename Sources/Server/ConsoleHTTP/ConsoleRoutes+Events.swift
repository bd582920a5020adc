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
import Telemetry

/// The event explorer: raw events by day, in the event sink or the log. It counts, and shows no single event, so it
/// needs the permission of the figures and no entry in the audit log.
extension ConsoleRoutes {
    func eventBindings() -> [RouteBinding] {
        [gate.page("/console/events", of: [.series]) { visit in try events(visit) }]
    }

    private func events(_ visit: ConsoleVisit) throws -> Response {
        var visit = visit
        let today = gate.now().day
        let names = visit.query.map(\.name)
        if !names.contains("from"), !names.contains("to") {
            visit.query.append(("from", today.adding(days: -29).iso))
            visit.query.append(("to", today.iso))
        }
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
