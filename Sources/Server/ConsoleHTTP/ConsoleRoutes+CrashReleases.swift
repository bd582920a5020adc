import BackendHTTP
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// Crash-free sessions over time and by release. Deleting releases is a call of the API.
extension ConsoleRoutes {
    private static let releases = "/console/crashes/releases"

    func crashReleaseBindings() -> [RouteBinding] {
        [
            gate.page(Self.releases, of: [.crashReleases, .series]) { visit in
                try releasePage(days: visit.parameter("days"), result: releaseResult(visit))
            },
            gate.action(
                Self.releases, of: .decideCrashReleases, showing: [.crashReleases, .series],
                form: FormShape(["idempotency_key", "days"], optional: ["confirmed"], repeated: ["releases"]),
                maximumBodyBytes: 131_072, deleteReleases),
        ]
    }

    /// What the address says about the form before.
    private func releaseResult(_ visit: ConsoleVisit) -> CrashReleasesPage.Result? {
        guard let notice = BulkNotice(visit) else { return nil }
        var texts = notice.counts(of: CrashOutcome.self).mapValues { "\($0)" }
        if case .releases(let decisions)? = notices.result(notice.id, for: visit) {
            texts = Dictionary(grouping: decisions, by: \.outcome)
                .mapValues { $0.map(\.name).joined(separator: ", ") }
        }
        return .deleted(texts)
    }

    /// - Parameter days: the text of the length; 90 for any that cannot be chosen.
    private func releasePage(days: String?, result: CrashReleasesPage.Result?) throws -> CrashReleasesPage {
        let today = try insights.today()
        let days = days.flatMap { Int($0) }.flatMap { CrashReleasesPage.lengths.contains($0) ? $0 : nil } ?? 90
        guard let figure = SeriesFigure(rawValue: "crash_free_sessions") else { throw HTTPFailure.notFound }
        return CrashReleasesPage(
            rate: try insights.series(of: figure, from: today.adding(days: 1 - days), to: today),
            releases: try crashes.releaseHealth(at: gate.now()), days: days, result: result)
    }

    private func deleteReleases(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        func page(_ result: CrashReleasesPage.Result, _ status: HTTPResponse.Status = .ok) throws -> Response {
            visit.show(try releasePage(days: form["days"], result: result), status)
        }
        let names = form.values("releases")
        guard !names.isEmpty else { return try page(.nothingSelected, .unprocessableContent) }
        guard form["confirmed"] != nil else {
            let chosen = Set(names)
            let found = try crashes.releaseHealth(at: gate.now()).filter { chosen.contains($0.release) }
            guard !found.isEmpty else { return try page(.nothingSelected, .unprocessableContent) }
            let days = form["days"].flatMap { Int($0) } ?? 90
            return visit.show(SimplePage.deletion(of: found, days: days))
        }
        let json: JSONObject = ["releases": .array(names.map { .string($0) }), "action": "delete"]
        switch try attempt(
            .decideCrashReleases, for: visit,
            { call in try features.crashes.decideReleases(CrashReleaseBulk(json), call) })
        {
        case .done(let decisions):
            let counts = decisions.map(\.outcome.rawValue).counts
            return ConsoleResponse.seeOther(
                notices.keep(.releases(decisions), of: visit, counts: counts) { notice in
                    HTMLLink("console", "crashes", "releases", query: [("days", form["days"] ?? "90"), notice])
                })
        case .refused(let faults, let status): return try page(.refused(faults.refusals), status)
        case .lostRace: return try page(.nothingSelected, .preconditionFailed)
        }
    }
}

/// The images that have symbols. Removing them is a call of the API.
extension ConsoleRoutes {
    private static let symbolFiles = "/console/crashes/symbols"
    private static let symbolFile = "/console/crashes/symbols/{debug_id}/delete"

    func symbolBindings() -> [RouteBinding] {
        [
            gate.page(Self.symbolFiles, of: [.symbolFiles]) { visit in
                let removed = visit.notice.flatMap { $0.code == "removed" ? $0.value : nil }
                return SimplePage.symbols(try symbols.list(), removed: removed.flatMap(DebugID.normalised))
            },
            gate.page(Self.symbolFile, of: [.symbolFiles, .deleteSymbols]) { visit in
                let id = DebugID.normalised(try visit.request.parameters.text())
                guard let file = try symbols.list().first(where: { $0.debugID == id }) else {
                    throw HTTPFailure(.notFound, "There are no such symbols.")
                }
                return SimplePage.removal(of: file)
            },
            gate.action(
                Self.symbolFile, of: .deleteSymbols, showing: [.symbolFiles], form: FormShape(["idempotency_key"]),
                removeSymbols),
        ]
    }

    private func removeSymbols(_ visit: ConsoleVisit) throws -> Response {
        let id = try visit.request.parameters.text()
        let done = HTMLLink("console", "crashes", "symbols", query: [("notice", "removed.\(id)")])
        return try submit(
            .deleteSymbols, for: visit, features.symbols.remove, done: { _ in done },
            // Sent twice: they are gone, as they were to be.
            gone: { _ in ConsoleResponse.seeOther(done) })
    }
}
