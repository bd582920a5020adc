import BackendHTTP
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// Crash groups and releases. Decisions are calls of the API.
extension ConsoleRoutes {
    private static let groups = "/console/crashes"
    private static let group = "/console/crashes/{id:uuid}"

    func crashBindings() -> [RouteBinding] {
        [
            gate.get(Self.groups, of: [.crashGroups]) { visit in
                // Groups without a decision are shown first.
                visit.query = visit.query.defaulting("status", CrashStatus.open.rawValue)
                let query = try visit.read(CrashPage.self, correcting: ["q", "release"])
                if query.format == .csv { return try crashCSV(query, visit) }
                return visit.show(try crashList(query, visit.query, result: crashResult(visit)))
            },
            gate.action(
                Self.groups, of: .decideCrashGroups, showing: [.crashGroups],
                form: FormShape(
                    ["idempotency_key"], optional: ["action", "undo", "confirmed"], repeated: ["groups"],
                    ofList: true), decideCrashes),
            gate.page(Self.group, of: [.crashGroup]) { try crashDetails($0) },
            decision(.resolve, .resolveCrashGroup), decision(.ignore, .ignoreCrashGroup),
            decision(.reopen, .reopenCrashGroup),
            gate.action(
                "\(Self.group)/undo", of: .undoCrashMerge, showing: [.crashGroup],
                form: FormShape(["idempotency_key", "revision"])
            ) { visit in try changeCrash(.undoCrashMerge, visit, "parted") { try features.crashes.part($0) } },
            gate.page("\(Self.group)/delete", of: [.crashGroup, .deleteCrashGroup]) {
                SimplePage.deletion(of: try findCrash($0).group)
            },
            gate.action(
                "\(Self.group)/delete", of: .deleteCrashGroup, showing: [.crashGroup],
                form: FormShape(["idempotency_key", "revision"]), deleteCrash),
        ]
    }

    private var today: CalendarDay { gate.now().day }

    // MARK: The list

    /// What the address of the list says about the form before.
    private func crashResult(_ visit: ConsoleVisit) -> CrashesPage.Result? {
        if visit.notice?.code == "deleted" {
            return .decided([.deleted: 1], undo: nil, changed: [], changedCount: 0)
        }
        guard let notice = BulkNotice(visit) else { return nil }
        var undo: (id: String, count: Int)?
        var titles: [String] = []
        if case .crashes(let decisions, let changed, let isUndo)? = notices.result(notice.id, for: visit) {
            titles = changed
            let count = decisions.count(where: Self.isUndoable)
            if count > 0, !isUndo { undo = (notice.id, count) }
        }
        return .decided(
            notice.counts(of: CrashOutcome.self), undo: undo, changed: titles,
            changedCount: notice.counts["changed"] ?? 0)
    }

    /// Whether a decision gave a group another status.
    private static func isUndoable(_ decision: CrashDecision) -> Bool {
        decision.former != nil && decision.outcome.status != nil && decision.former != decision.outcome.status
    }

    /// - Parameter parameters: the query as the address has it.
    private func crashList(
        _ wanted: CrashPage, _ parameters: [NamedValue], result: CrashesPage.Result? = nil
    ) throws -> CrashesPage {
        let query = wanted.query
        let found = try crashes.list(query, after: wanted.cursor, limit: wanted.limit)
        return CrashesPage(
            query: query, groups: found.groups,
            trends: try crashes.trends(of: found.groups.map(\.id), days: CrashesPage.trendDays, through: today),
            counts: try crashes.counts(query), choices: try crashes.filterChoices(),
            address: ListAddress("crashes", query: parameters), next: found.next?.encoded(for: query.list),
            result: result)
    }

    /// The groups of the page, and more: a table for a spreadsheet needs no short pages.
    private func crashCSV(_ wanted: CrashPage, _ visit: ConsoleVisit) throws -> Response {
        let found = try crashes.list(wanted.query, after: wanted.cursor, limit: max(wanted.limit, 500))
        return try visit.csv(CrashStore.csv(found.groups), "crashes")
    }

    /// The call that a form makes; refused if it names a group twice, too many, or an unknown action.
    private static func bulk(_ action: String, _ ids: [UUID]) throws -> CrashBulk {
        try CrashBulk(["ids": .array(ids.map { .string($0.lowercased) }), "action": .string(action)])
    }

    private func decideCrashes(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let listed = ConsoleVisit.listQuery(form).defaulting("status", "all")
        let (query, address) = (try ConsoleVisit.read(CrashPage.self, listed), ListAddress("crashes", query: listed))
        func page(_ result: CrashesPage.Result, _ status: HTTPResponse.Status = .ok) throws -> Response {
            visit.show(try crashList(query, listed, result: result), status)
        }
        var selection: CrashSelection
        if let undo = form["undo"] {
            guard case .crashes(let decisions, _, _)? = notices.result(undo, for: visit) else {
                return try page(
                    .refused([.problem("This can no longer be undone here. Decide again in the list.")]), .conflict)
            }
            selection = CrashSelection(undoing: decisions.filter(Self.isUndoable))
        } else {
            guard let chosen = try CrashSelection(form) else {
                return try page(.nothingSelected, .unprocessableContent)
            }
            selection = chosen
        }
        let outcome = try attempt(.decideCrashGroups, for: visit) { call in
            let ids = selection.groups.map(\.id)
            // Nothing is read for a form that the call would refuse.
            if !selection.isUndo { _ = try Self.bulk(selection.action, ids) }
            try features.crashes.take(ids.count, call)
            let stored = try crashes.groups(ids)
            let changed = selection.leaveOutChanged(stored)
            guard !selection.groups.isEmpty else {
                return try page(.decided([:], undo: nil, changed: changed, changedCount: changed.count), .conflict)
            }
            if selection.action == "delete", form["confirmed"] == nil {
                let found = selection.groups.compactMap { stored[$0.id] }
                guard !found.isEmpty else { return try page(.nothingSelected, .unprocessableContent) }
                return visit.show(SimplePage.deletion(of: found, in: address))
            }
            let outcomes = try selection.calls.flatMap { action, ids in
                try features.crashes.carryOut(try Self.bulk(action, ids), call)
            }
            let kept = ConsoleNotices.Result.crashes(
                outcomes, changed: Array(changed.prefix(20)), isUndo: selection.isUndo)
            let counts = (outcomes.map(\.outcome.rawValue) + changed.map { _ in "changed" }).counts
            return ConsoleResponse.seeOther(notices.keep(kept, of: visit, counts: counts) { address.here([$0]) })
        }
        switch outcome {
        case .done(let response): return response
        case .refused(let faults, let status): return try page(.refused(faults.refusals), status)
        case .lostRace: return try page(.nothingSelected, .preconditionFailed)
        }
    }

    // MARK: One group

    private func findCrash(_ visit: ConsoleVisit) throws -> CrashGroup.Details {
        guard let found = try crashes.find(try visit.request.parameters.uuid()) else {
            throw HTTPFailure(.notFound, "There is no such crash group.")
        }
        return found
    }

    /// The most decisions that are listed.
    private static let mostDecisions = 50

    private func crashDetails(_ visit: ConsoleVisit, hasChanged: Bool = false) throws -> CrashDetailsPage {
        let details = try findCrash(visit)
        let group = details.group
        let trend = try crashes.trends(of: [group.id], days: CrashDetailsPage.plotDays, through: today)
        let filter = AuditFilter(subjectID: group.id)
        return CrashDetailsPage(
            details, trend: trend[group.id] ?? [], today: today,
            decisions: visit.mayCall(.audit)
                ? try auditLog.list(matching: filter, after: nil, limit: Self.mostDecisions) : nil,
            hasChanged: hasChanged)
    }

    private func decision(_ action: CrashAction, _ operation: APIOperation) -> RouteBinding {
        gate.action(
            "\(Self.group)/\(action.rawValue)", of: operation, showing: [.crashGroup],
            form: FormShape(["idempotency_key", "revision", "former"])
        ) { visit in
            let former = try visit.form()["former"].flatMap { CrashStatus(rawValue: $0) }
            let notice = "decided" + (former.map { ".\($0.rawValue)" } ?? "")
            return try changeCrash(operation, visit, notice) { try features.crashes.apply(action, $0) }
        }
    }

    /// Changes one group, then shows it with a notice, or its list if it is gone.
    private func changeCrash(
        _ operation: APIOperation, _ visit: ConsoleVisit, _ notice: String,
        _ change: (AdminCall) throws -> CrashGroup?, gone: (any Error) throws -> Response = { throw $0 }
    ) throws -> Response {
        try submit(
            operation, version: try AdminCall.Version(try visit.form()), for: visit, change,
            done: { group in
                let path = ["console", "crashes"] + (group.map { [$0.id.lowercased] } ?? [])
                return HTMLLink(path: path, query: [("notice", notice)])
            }, lostRace: { visit.show(try crashDetails(visit, hasChanged: true), .preconditionFailed) }, gone: gone)
    }

    private func deleteCrash(_ visit: ConsoleVisit) throws -> Response {
        try changeCrash(.deleteCrashGroup, visit, "deleted") { call in
            try features.crashes.apply(.delete, call)
        } gone: { _ in
            // Sent twice: it is gone, as it was to be.
            ConsoleResponse.seeOther("/console/crashes?notice=deleted")
        }
    }
}

extension HTTPFailure {
    /// A refusal of a form without fields of its own, as an error page.
    static func refusal(_ refused: FormFaults, _ status: HTTPResponse.Status) -> HTTPFailure {
        let code: ProblemCode = refused.code ?? (status == .conflict ? .conflict : .validationFailed)
        var faults = FaultList()
        for fault in refused.faults { faults.note(fault) }
        return HTTPFailure(code, refused.sentence, faults: faults)
    }

    /// The faults, or the sentence about the whole without any.
    var refusals: [Refusal] { faults.isEmpty ? [.problem(sentence, code)] : faults.map { .fault($0) } }
}
