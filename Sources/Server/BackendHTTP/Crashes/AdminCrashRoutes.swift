import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerAccess
package import ServerContract
import SubGuardContract
import SubGuardDomain
package import Telemetry

/// Admin routes of crash groups and releases.
package struct AdminCrashRoutes: Sendable {
    let gate: AdminGate
    package let store: CrashStore
    let now: @Sendable () -> UTCInstant

    /// 500 releases of 96 bytes, with room for escapes.
    private static let maximumReleaseBytes = 131_072

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.crashGroups) { request, _ in try list(request) },
            gate.binding(.crashReleases) { request, _ in
                try ReleaseHealthList(items: try store.releaseHealth(at: now())).document()
                    .response(for: request)
            },
            gate.binding(.crashGroup) { request, _ in
                let found = try find(try request.parameters.uuid())
                return try CrashGroupDetail(found).document(revision: found.group.revision).response(for: request)
            },
            gate.binding(.resolveCrashGroup, Self.group.orEmpty) { try apply(.resolve, $0) },
            gate.binding(.ignoreCrashGroup, Self.group.orEmpty) { try apply(.ignore, $0) },
            gate.binding(.reopenCrashGroup, Self.group.orEmpty) { try apply(.reopen, $0) },
            gate.binding(.undoCrashMerge, Self.group, part),
            gate.binding(.deleteCrashGroup, Self.group.orEmpty) { try apply(.delete, $0) },
            gate.binding(.decideCrashGroups, .object { CrashBulkResults(results: $0) }, decide),
            gate.binding(
                .decideCrashReleases, maximumBodyBytes: Self.maximumReleaseBytes,
                .object { CrashReleaseBulkResults(results: $0) }, decideReleases),
        ]
    }

    private func list(_ request: Request) throws -> Response {
        let wanted = try CrashPage(query: request)
        let page = try store.list(wanted.query, after: wanted.cursor, limit: wanted.limit)
        let next = page.next?.encoded(for: wanted.query.list)
        switch wanted.format {
        case .json:
            return try CrashGroupPage(groups: page.groups, next: next).document(next: next, of: request)
                .response(for: request)
        case .csv:
            return try RenderedDocument(
                body: CrashStore.csv(page.groups), contentType: "text/csv; charset=utf-8",
                more: PageLink.fields(request, next: next), isForOneReader: true
            ).response(for: request)
        }
    }

    private func find(_ id: UUID) throws -> CrashGroup.Details {
        guard let found = try store.find(id) else { throw Self.unknown }
        return found
    }

    private static let unknown = HTTPFailure(.notFound, "There is no such crash group.")

    private static let group = AnswerForm<CrashGroup>.document { $0.document(revision: $0.revision) }

    private func revision(_ call: AdminCall) throws -> Int64? {
        try call.revision {
            let id = try call.id()
            guard let group = try store.groups([id])[id] else { throw Self.unknown }
            return group.revision
        }
    }

    /// The changed group; nil after a deletion.
    package func apply(_ action: CrashAction, _ call: AdminCall) throws -> CrashGroup? {
        try store.apply(action, to: try call.id(), ifRevision: try revision(call), by: call.actor)
    }

    /// Takes apart what symbols have merged.
    package func part(_ call: AdminCall) throws -> CrashGroup {
        try store.part(try call.id(), ifRevision: try revision(call), by: call.actor)
    }

    func decide(_ decision: CrashBulk, _ call: AdminCall) throws -> [CrashDecision] {
        try take(decision.ids.count, call)
        return try carryOut(decision, call)
    }

    /// Takes the allowance of so many decisions, before anything is read for them.
    package func take(_ count: Int, _ call: AdminCall) throws {
        try gate.limits.take(.decisions, count: count, for: call.request)
    }

    /// Carries out decisions whose allowance is taken.
    package func carryOut(_ decision: CrashBulk, _ call: AdminCall) throws -> [CrashDecision] {
        try store.apply(decision.action, to: decision.ids, by: call.actor)
    }

    package func decideReleases(_ decision: CrashReleaseBulk, _ call: AdminCall) throws -> [ReleaseDecision] {
        try gate.limits.take(.decisions, count: decision.releases.count, for: call.request)
        return try store.deleteReleases(decision.releases, by: call.actor)
    }
}
