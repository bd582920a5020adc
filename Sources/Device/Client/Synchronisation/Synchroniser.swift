import SubGuardDomain
public import SubGuardEngine

/// Exchanges with a server what waits on either side. Each part goes by itself: where one fails, the others still happen,
/// and what waited goes on waiting.
///
/// One process of a device at a time; whoever comes second waits a little and then leaves it to the first.
public struct Synchroniser: Sendable {
    private let store: DeviceStore
    private let server: ServerConnection
    private let account: AccountSession?
    private let device: DeviceProperties
    private let signer: EventSigner?

    /// - Parameters:
    ///   - account: nil for an app without accounts.
    ///   - device: what each event may tell of the app.
    ///   - signer: signs the batches of events, where the server knows the key of the app. Default: nil, they go unsigned.
    public init(
        store: DeviceStore, server: ServerConnection, account: AccountSession?, device: DeviceProperties,
        signer: EventSigner? = nil
    ) {
        self.store = store
        self.server = server
        self.account = account
        self.device = device
        self.signer = signer
    }

    /// Catalogue, suggestions, erasure, analytics and premium, in this order. Parts that have nothing to do make no
    /// request; a catalogue that is fresh has nothing to do.
    ///
    /// - Parameters:
    ///   - force: asks for catalogue and premium although what is here is fresh.
    ///   - patience: how long to wait for another process. Default: 30 seconds.
    ///   - limit: for all of it together, the waiting included; what has not had its turn by then waits for the next
    ///     synchronisation. Default: two minutes.
    public func run(
        force: Bool = false, patience: Duration = .seconds(30), limit: Duration = .seconds(120), at moment: Moment
    ) async -> SyncReport {
        await locked(SyncReport.Name.allCases, patience: patience, limit: limit, at: moment) { synchroniser, name in
            switch name {
            case .catalogue: try await synchroniser.catalogue(force: force, at: moment)
            case .suggestions: try await synchroniser.suggestions(at: moment)
            case .erasure: try await synchroniser.erasure(at: moment)
            case .analytics: try await synchroniser.analytics(at: moment)
            case .premium: try await synchroniser.premium(force: force, at: moment)
            }
        }
    }

    /// The catalogue alone, when it is stale: what a search does behind its answer.
    ///
    /// - Parameter limit: for all of it together. Default: two minutes.
    public func revalidateCatalogue(limit: Duration = .seconds(120), at moment: Moment) async -> SyncReport {
        await locked([.catalogue], patience: .zero, limit: limit, at: moment) { synchroniser, _ in
            try await synchroniser.catalogue(force: false, at: moment)
        }
    }

    /// What consent that was revoked asks of the server, alone.
    public func sendErasures(at moment: Moment) async -> SyncReport {
        await locked([.erasure], patience: .seconds(10), limit: .seconds(60), at: moment) { synchroniser, _ in
            try await synchroniser.erasure(at: moment)
        }
    }

    private func locked(
        _ names: [SyncReport.Name], patience: Duration, limit: Duration, at moment: Moment,
        _ body: (Synchroniser, SyncReport.Name) async throws -> SyncReport.Part
    ) async -> SyncReport {
        var report = SyncReport()
        do {
            var synchroniser = with(server.within(limit))
            let lock = try await FileLock.take(store.path + ".sync-lock", patience: min(patience, limit))
            guard let lock else { throw ClientError.busy }
            defer { withExtendedLifetime(lock) {} }
            for name in names {
                do {
                    report.parts.append(try await body(synchroniser, name))
                } catch {
                    report.parts.append(Self.failure(name, error))
                    // The others are tried all the same, but nobody should wait for each as long as for the first.
                    if case ClientError.unreachable = error {
                        synchroniser = synchroniser.with(synchroniser.server.impatient)
                    }
                }
            }
        } catch {
            for name in names { report.parts.append(Self.failure(name, error)) }
        }
        // That another process is at it is no failure to be told later.
        let outcomes = report.parts.filter { $0.reason != ClientError.busy.code }
            .map { (name: $0.name.rawValue, failure: $0.error?.note) }
        // A store that cannot be written says so by the parts.
        try? store.sync.record(outcomes, isWhole: outcomes.count == SyncReport.Name.allCases.count, at: moment)
        return report
    }

    /// The same with this connection of the same server.
    private func with(_ server: ServerConnection) -> Synchroniser {
        Synchroniser(store: store, server: server, account: account?.with(server), device: device, signer: signer)
    }

    private static func failure(_ name: SyncReport.Name, _ error: any Error) -> SyncReport.Part {
        let error = error as? ClientError ?? .store("\(error)")
        return SyncReport.Part(
            name: name, result: .failed, reason: error.code, error: error, counts: [])
    }

    private func catalogue(force: Bool, at moment: Moment) async throws -> SyncReport.Part {
        let outcome = try await CatalogueSync(store: store, server: server).run(force: force, at: moment)
        let items = SyncReport.Count(name: "items", value: try store.catalogue.copy()?.itemCount ?? 0)
        switch outcome {
        case .fresh:
            return .init(name: .catalogue, result: .unneeded, reason: "fresh", counts: [items])
        case .unchanged:
            return .init(name: .catalogue, result: .done, reason: "unchanged", counts: [items])
        case .updated(let changed, let deleted, let isWhole):
            return .init(
                name: .catalogue, result: .done, reason: isWhole ? "whole" : "changes",
                counts: [
                    items, .init(name: "changed", value: changed), .init(name: "deleted", value: deleted),
                ])
        }
    }

    private func suggestions(at moment: Moment) async throws -> SyncReport.Part {
        guard try store.suggestions.counts().waiting > 0 else {
            return .init(name: .suggestions, result: .unneeded, reason: "empty", counts: [])
        }
        let outcome = try await SuggestionSync(store: store, server: server).run(at: moment)
        return .init(
            name: .suggestions, isCut: outcome.isCut,
            counts: [
                .init(name: "accepted", value: outcome.accepted), .init(name: "duplicates", value: outcome.duplicates),
                .init(name: "refused", value: outcome.refused),
            ])
    }

    private func erasure(at moment: Moment) async throws -> SyncReport.Part {
        guard try !store.analytics.erasures(for: server.address.text).isEmpty else {
            return .init(name: .erasure, result: .unneeded, reason: "empty", counts: [])
        }
        let count = try await EventSync(store: store, server: server, device: device).erase(at: moment)
        return .init(name: .erasure, result: .done, counts: [.init(name: "erased", value: count)])
    }

    private func analytics(at moment: Moment) async throws -> SyncReport.Part {
        let consent = try store.analytics.consent()
        let waiting = SyncReport.Count(name: "waiting", value: try store.analytics.queueCounts().waiting)
        guard consent == .granted else {
            let reason = consent == .revoked ? "consent_revoked" : "consent_undecided"
            return .init(name: .analytics, result: .unneeded, reason: reason, counts: [waiting])
        }
        guard waiting.value > 0 else {
            return .init(name: .analytics, result: .unneeded, reason: "empty", counts: [waiting])
        }
        let outcome = try await EventSync(store: store, server: server, device: device, signer: signer).run(at: moment)
        return .init(
            name: .analytics, isCut: outcome.isCut,
            counts: [
                .init(name: "accepted", value: outcome.accepted), .init(name: "duplicates", value: outcome.duplicates),
                .init(name: "rejected", value: outcome.rejected),
                .init(name: "waiting", value: try store.analytics.queueCounts().waiting),
            ])
    }

    private func premium(force: Bool, at moment: Moment) async throws -> SyncReport.Part {
        guard let account, try account.isSignedIn else {
            return .init(name: .premium, result: .unneeded, reason: "not_signed_in", counts: [])
        }
        if !force, let proof = try store.premium.proof(), try isFresh(proof, at: moment) {
            return .init(name: .premium, result: .unneeded, reason: "fresh", counts: [])
        }
        let proof = try await PremiumProof(store: store, account: account).refresh(at: moment)
        return .init(name: .premium, result: .done, reason: proof.status.rawValue, counts: [])
    }

    private func isFresh(_ proof: EntitlementProof, at moment: Moment) throws -> Bool {
        let age = proof.provenAt.milliseconds(until: moment.now)
        guard (0..<PremiumProof.lifeHours * 3_600_000).contains(age) else { return false }
        // A clock that ran ahead for a while has used its grace up; only the server can give it back.
        return try !proof.isPremium(at: moment.now) || store.premium.isActive(at: moment)
    }
}

extension SyncReport.Part {
    /// Of a part that sends what waits.
    ///
    /// - Parameter isCut: whether something is left all the same.
    init(name: SyncReport.Name, isCut: Bool, counts: [SyncReport.Count]) {
        let error = isCut ? ClientError.moreLeft : nil
        self.init(name: name, result: isCut ? .failed : .done, reason: error?.code, error: error, counts: counts)
    }

    init(name: SyncReport.Name, result: SyncReport.Result, reason: String? = nil, counts: [SyncReport.Count]) {
        self.init(name: name, result: result, reason: reason, error: nil, counts: counts)
    }
}

/// How a synchronisation went, part by part.
public struct SyncReport: Sendable, Hashable {
    public enum Name: String, Sendable, Hashable, CaseIterable {
        case catalogue, suggestions, erasure, analytics, premium
    }

    public enum Result: String, Sendable, Hashable {
        case done
        /// There was nothing to do, or it may not be done; no request was made.
        case unneeded
        case failed
    }

    public struct Part: Sendable, Hashable {
        public var name: Name
        public var result: Result
        /// A stable word that says more, such as `fresh`, or the code of the failure.
        public var reason: String?
        /// Of a part that failed, also where it has counts because some of it was done.
        public var error: ClientError?
        /// Such as `accepted`, in the order in which they are shown.
        public var counts: [Count]
    }

    public struct Count: Sendable, Hashable {
        public var name: String
        public var value: Int
    }

    public var parts: [Part] = []

    public var hasFailed: Bool { parts.contains { $0.result == .failed } }
}
