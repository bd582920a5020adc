import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerAccess
package import ServerContract
import SubGuardContract
import SubGuardDomain
package import Telemetry

/// Stores crash reports from all ingest protocols.
struct CrashIntake: Sendable {
    let store: CrashStore
    let counters: CrashCounters
    let limits: ClientLimits
    let quotas: CrashQuotas

    /// Charges the items to the client's allowance, then stores and counts them. Throws 429.
    func record(
        _ submission: CrashSubmission, receivedAt: UTCInstant, for request: Request
    ) throws -> CrashTally {
        try limits.take(.reportedItems, count: submission.itemCount, for: request)
        let tally = try store.record(submission, receivedAt: receivedAt, quota: quotas.quota(of: request))
        counters.add(tally)
        return tally
    }
}

/// `POST /api/v1/crashes`: crashes and session counts from clients without an SDK.
struct CrashRoutes: Sendable {
    let intake: CrashIntake
    let now: @Sendable () -> UTCInstant

    private static let maximumBodyBytes = 1 << 20
    private static let maximumInflatedBytes = 4 << 20

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .crashes, allowance: .report, maximumBodyBytes: Self.maximumBodyBytes, .blocking { try submit($0) })
        ]
    }

    private func submit(_ request: Request) throws -> Response {
        let bytes = try ContentCoding.decodedBody(of: request, maximumBytes: Self.maximumInflatedBytes)
        let receivedAt = now()
        var body = CrashBody(receivedAt: receivedAt)
        let submission = try body.read(bytes)
        let tally = try intake.record(submission, receivedAt: receivedAt, for: request)
        return CrashReceipt(
            accepted: Int64(submission.reports.count + submission.counts.count) - tally.duplicates,
            duplicates: tally.duplicates
        ).response(.accepted)
    }
}

/// Creates the quota of a client from the allowances of the rate limiter.
struct CrashQuotas: Sendable {
    let limiter: RateLimiter
    let address: ClientAddress
    let now: @Sendable () -> UTCInstant

    func quota(of request: Request) -> any CrashQuota {
        let client = address.of(request)
        // Hasher is seeded per process, so a mark cannot be traced to a network or chosen by a client.
        var hasher = Hasher()
        hasher.combine(Self.network(of: client))
        hasher.combine(now().millisecondsSinceEpoch / 86_400_000)
        return ClientCrashQuota(limiter: limiter, client: client, mark: hasher.finalize() & 63)
    }

    /// A network likely to have a single holder: /24 for IPv4, /48 for IPv6.
    static func network(of client: SocketAddress) -> String {
        let text = client.description
        let separator: Character = text.contains(".") ? "." : ":"
        return text.split(separator: separator, omittingEmptySubsequences: false).prefix(3).joined(separator: ".")
    }
}

private struct ClientCrashQuota: CrashQuota {
    let limiter: RateLimiter
    let client: SocketAddress
    let mark: Int

    func take(_ addition: CrashAddition, _ count: Int64) -> Bool {
        limiter.take(addition.allowance, from: client, count: Int(clamping: count))?.isAllowed ?? true
    }

    func giveBack(_ addition: CrashAddition, _ count: Int64) {
        limiter.giveBack(addition.allowance, to: client, count: Int(clamping: count))
    }
}

extension CrashAddition {
    fileprivate var allowance: Allowance {
        switch self {
        case .group: .newCrashGroups
        case .release: .newReleases
        case .session: .sessions
        }
    }
}

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
