import Backend
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Admin routes of crash groups and releases.
struct AdminCrashRoutes: Sendable {
    let gate: AdminGate
    let store: CrashStore
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
            gate.binding(.resolveCrashGroup) { request, actor in try apply(.resolve, request, actor) },
            gate.binding(.ignoreCrashGroup) { request, actor in try apply(.ignore, request, actor) },
            gate.binding(.reopenCrashGroup) { request, actor in try apply(.reopen, request, actor) },
            gate.binding(.undoCrashMerge) { request, actor in
                let id = try request.parameters.uuid()
                let revision = try EntityTag.matchedRevision(of: request) { try find(id).group.revision }
                let group = try store.part(id, ifRevision: revision, by: actor)
                return group.document(revision: group.revision).plainResponse
            },
            gate.binding(.deleteCrashGroup) { request, actor in try apply(.delete, request, actor) },
            gate.binding(.decideCrashGroups) { request, actor in
                let body = try CrashBulk(body: request)
                try gate.limits.take(.decisions, count: body.ids.count, for: request)
                return CrashBulkResults(results: try store.apply(body.action, to: body.ids, by: actor)).response(.ok)
            },
            gate.binding(.decideCrashReleases, maximumBodyBytes: Self.maximumReleaseBytes) { request, actor in
                let body = try CrashReleaseBulk(body: request, maximumBytes: Self.maximumReleaseBytes)
                try gate.limits.take(.decisions, count: body.releases.count, for: request)
                return CrashReleaseBulkResults(results: try store.deleteReleases(body.releases, by: actor))
                    .response(.ok)
            },
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
        guard let found = try store.find(id) else { throw HTTPFailure(.notFound, "There is no such crash group.") }
        return found
    }

    private func apply(_ action: CrashAction, _ request: Request, _ actor: Actor) throws -> Response {
        let id = try request.parameters.uuid()
        let revision = try EntityTag.matchedRevision(of: request) { try find(id).group.revision }
        guard let group = try store.apply(action, to: id, ifRevision: revision, by: actor) else {
            return .empty(.noContent)
        }
        return group.document(revision: group.revision).plainResponse
    }
}
