import SubGuardDomain
public import SubGuardEngine

/// Syncs with a server. Parts are independent: when one fails, the others still run, and its data stays queued.
///
/// Only one process of a device syncs at a time; others wait, then give up with ``ClientError/busy``.
public struct Synchroniser: Sendable {
    private let store: DeviceStore
    private var server: ServerConnection
    private var account: AccountSession?
    private let device: DeviceProperties
    private let signer: EventSigner?
    private let logos: LogoCache?
    /// Since the moment of a sync.
    private var clock = SendingClock()

    /// - Parameters:
    ///   - store: the database to sync; the lock of a sync is a file beside it.
    ///   - server: where requests go.
    ///   - account: nil for apps without accounts.
    ///   - device: properties sent with every event.
    ///   - signer: signs event batches. Default: nil, unsigned.
    ///   - logos: where the logos of the whole catalogue are kept. Default: nil, none are fetched.
    public init(
        store: DeviceStore, server: ServerConnection, account: AccountSession?, device: DeviceProperties,
        signer: EventSigner? = nil, logos: LogoCache? = nil
    ) {
        self.store = store
        self.server = server
        self.account = account
        self.device = device
        self.signer = signer
        self.logos = logos
    }

    /// Syncs catalogue, rates, suggestions, erasure, analytics, signals, premium and logos, in this order. Parts with
    /// nothing to do send no request.
    ///
    /// - Parameters:
    ///   - force: checks catalogue, rates and premium even if they are up to date.
    ///   - timeout: how long to wait for another process. Default: 30 seconds.
    ///   - limit: for all parts together, including the wait; parts not reached by then fail with
    ///     ``ClientError/outOfTime``. Default: two minutes.
    ///   - moment: the present time and zone.
    public func run(
        force: Bool = false, timeout: Duration = .seconds(30), limit: Duration = .seconds(120), at moment: Moment
    ) async -> SyncReport {
        await locked(names, timeout: timeout, limit: limit, at: moment) { synchroniser, name in
            switch name {
            case .catalogue: try await synchroniser.catalogue(force: force, at: moment)
            case .rates: try await synchroniser.rates(force: force, at: moment)
            case .suggestions: try await synchroniser.suggestions(at: moment)
            case .erasure: try await synchroniser.erasure(at: moment)
            case .analytics: try await synchroniser.analytics(at: moment)
            case .signals: try await synchroniser.signals(at: moment)
            case .premium: try await synchroniser.premium(force: force, at: moment)
            case .logos: try await synchroniser.logoPart()
            }
        }
    }

    /// The parts of a whole sync.
    private var names: [SyncReport.Name] { SyncReport.Name.allCases.filter { $0 != .logos || logos != nil } }

    /// Updates the catalogue only, if it is stale; used after a search. Takes at most `limit`, by default two minutes.
    public func revalidateCatalogue(limit: Duration = .seconds(120), at moment: Moment) async -> SyncReport {
        await locked([.catalogue], timeout: .zero, limit: limit, at: moment) { synchroniser, _ in
            try await synchroniser.catalogue(force: false, at: moment)
        }
    }

    /// Sends pending erasures only.
    public func sendErasures(at moment: Moment) async -> SyncReport {
        await locked([.erasure], timeout: .seconds(10), limit: .seconds(60), at: moment) { synchroniser, _ in
            try await synchroniser.erasure(at: moment)
        }
    }

    private func locked(
        _ names: [SyncReport.Name], timeout: Duration, limit: Duration, at moment: Moment,
        _ body: (Synchroniser, SyncReport.Name) async throws -> SyncReport.Part
    ) async -> SyncReport {
        var report = SyncReport()
        do {
            var synchroniser = with(server.within(limit))
            synchroniser.clock = SendingClock()
            let lock = try await FileLock.take(store.path + ".sync-lock", timeout: min(timeout, limit))
            guard let lock else { throw ClientError.busy }
            defer { withExtendedLifetime(lock) {} }
            for name in names {
                do {
                    report.parts.append(try await body(synchroniser, name))
                } catch {
                    report.parts.append(Self.failure(name, error))
                    // Try the other parts without retries, so that the user does not wait for each.
                    if case ClientError.unreachable = error {
                        synchroniser = synchroniser.with(synchroniser.server.withoutRetries)
                    }
                }
            }
        } catch {
            for name in names { report.parts.append(Self.failure(name, error)) }
        }
        // A sync by another process is not recorded as a failure.
        let outcomes = report.parts.filter { $0.reason != ClientError.busy.code }
            .map { (name: $0.name.rawValue, failure: $0.error?.note) }
        // A read-only database is reported by the parts.
        try? store.sync.record(outcomes, isWhole: outcomes.count == self.names.count, at: moment)
        return report
    }

    /// The same with another connection to the same server.
    private func with(_ server: ServerConnection) -> Synchroniser {
        var synchroniser = self
        synchroniser.server = server
        synchroniser.account = account?.with(server)
        return synchroniser
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

    private func rates(force: Bool, at moment: Moment) async throws -> SyncReport.Part {
        switch try await RateSync(store: store, server: server).run(force: force, at: moment) {
        case .unneeded: return .init(name: .rates, result: .unneeded, reason: "no_home_currency", counts: [])
        case .fresh: return .init(name: .rates, result: .unneeded, reason: "fresh", counts: [])
        case .notOffered: return .init(name: .rates, result: .done, reason: "not_offered", counts: [])
        case .unchanged: return .init(name: .rates, result: .done, reason: "unchanged", counts: [])
        case .updated(let changed):
            return .init(
                name: .rates, result: .done, reason: "changes", counts: [.init(name: "changed", value: changed)])
        }
    }

    private func suggestions(at moment: Moment) async throws -> SyncReport.Part {
        guard try store.suggestions.counts().waiting > 0 else {
            return .init(name: .suggestions, result: .unneeded, reason: "empty", counts: [])
        }
        let outcome = try await SuggestionSync(store: store, server: server).run(at: moment)
        return .init(
            name: .suggestions, isTruncated: outcome.isTruncated,
            counts: [
                .init(name: "accepted", value: outcome.accepted), .init(name: "duplicates", value: outcome.duplicates),
                .init(name: "refused", value: outcome.refused),
            ])
    }

    private func erasure(at moment: Moment) async throws -> SyncReport.Part {
        guard try !store.analytics.erasures(for: server.address.text).isEmpty else {
            return .init(name: .erasure, result: .unneeded, reason: "empty", counts: [])
        }
        let count = try await EventSync(store: store, server: server, device: device, clock: clock).erase(at: moment)
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
        let outcome = try await EventSync(
            store: store, server: server, device: device, signer: signer, clock: clock
        ).run(at: moment)
        return .init(
            name: .analytics, isTruncated: outcome.isTruncated,
            counts: [
                .init(name: "accepted", value: outcome.accepted), .init(name: "duplicates", value: outcome.duplicates),
                .init(name: "rejected", value: outcome.rejected),
                .init(name: "waiting", value: try store.analytics.queueCounts().waiting),
            ])
    }

    private func signals(at moment: Moment) async throws -> SyncReport.Part {
        let consent = try store.analytics.consent()
        guard consent == .granted else {
            let reason = consent == .revoked ? "consent_revoked" : "consent_undecided"
            return .init(name: .signals, result: .unneeded, reason: reason, counts: [])
        }
        let counts = store.signals.counts()
        guard counts.sessions + counts.crashes > 0 else {
            return .init(name: .signals, result: .unneeded, reason: "empty", counts: [])
        }
        let outcome = try await SignalSync(store: store, server: server, clock: clock).run(at: moment)
        return .init(
            name: .signals, result: .done,
            counts: [
                .init(name: "sessions", value: outcome.sessions), .init(name: "crashes", value: outcome.crashes),
                .init(name: "dropped", value: outcome.dropped),
            ])
    }

    private func premium(force: Bool, at moment: Moment) async throws -> SyncReport.Part {
        // Credentials that others may read are refused also while a proof is fresh.
        let isSignedIn = try account?.isSignedIn ?? false
        if !force, let proof = try store.premium.proof(), try isUpToDate(proof, at: moment) {
            return .init(name: .premium, result: .unneeded, reason: "fresh", counts: [])
        }
        if let account, isSignedIn {
            let proof = try await PremiumProof(store: store, account: account).refresh(at: moment)
            return .init(name: .premium, result: .done, reason: proof.status.rawValue, counts: [])
        }
        guard try store.premium.giver() == server.address.text else {
            return .init(name: .premium, result: .unneeded, reason: "not_signed_in", counts: [])
        }
        let proof = try await PremiumProof(store: store, server: server).refresh(at: moment)
        return .init(name: .premium, result: .done, reason: proof.status.rawValue, counts: [])
    }

    private func logoPart() async throws -> SyncReport.Part {
        let none = SyncReport.Part(name: .logos, result: .unneeded, reason: "no_logos", counts: [])
        guard let logos else { return none }
        let outcome = try await LogoSync(store: store, server: server, cache: logos).run()
        guard outcome.all > 0 else { return none }
        guard outcome.fetched + outcome.skipped > 0 else {
            return .init(
                name: .logos, result: .unneeded, reason: "fresh", counts: [.init(name: "all", value: outcome.all)])
        }
        return .init(
            name: .logos, result: .done,
            counts: [
                .init(name: "all", value: outcome.all), .init(name: "fetched", value: outcome.fetched),
                .init(name: "skipped", value: outcome.skipped),
            ])
    }

    /// Whether something happened within the life of a proof.
    private func isRecent(_ instant: UTCInstant, at moment: Moment) -> Bool {
        (0..<PremiumProof.lifeHours * 3_600_000).contains(instant.milliseconds(until: moment.now))
    }

    private func isUpToDate(_ proof: EntitlementProof, at moment: Moment) throws -> Bool {
        guard isRecent(proof.provenAt, at: moment) else { return false }
        // A clock that ran ahead may have used up the offline grace; a new proof resets it.
        return try !proof.isPremium(at: moment.now) || store.premium.isActive(at: moment)
    }
}

extension SyncReport.Part {
    /// The result of a part that sends queued data.
    ///
    /// - Parameter isTruncated: whether data is left in the queue.
    init(name: SyncReport.Name, isTruncated: Bool, counts: [SyncReport.Count]) {
        let error = isTruncated ? ClientError.moreLeft : nil
        self.init(name: name, result: isTruncated ? .failed : .done, reason: error?.code, error: error, counts: counts)
    }

    init(name: SyncReport.Name, result: SyncReport.Result, reason: String? = nil, counts: [SyncReport.Count]) {
        self.init(name: name, result: result, reason: reason, error: nil, counts: counts)
    }
}

/// The result of a sync, per part.
public struct SyncReport: Sendable, Hashable {
    /// A part of a sync, in its order.
    public enum Name: String, Sendable, Hashable, CaseIterable {
        /// Fetches the server's catalogue, or its changes.
        case catalogue
        /// Fetches reference rates; unneeded without a home currency.
        case rates
        /// Sends queued names of services that the catalogue lacks.
        case suggestions
        /// Asks the server to erase the events of revoked anonymous ids.
        case erasure
        /// Sends queued events, while consent is granted.
        case analytics
        /// Sends session counts and crash reports, while consent is granted.
        case signals
        /// Fetches the proof of premium; for an account, or where the server gives premium to all.
        case premium
        /// Fetches logos of the catalogue; only with a ``LogoCache``.
        case logos
    }

    /// How a part ended.
    public enum Result: String, Sendable, Hashable {
        /// It did what was to do.
        case done
        /// Nothing to do, or not allowed; no request was sent.
        case unneeded
        /// See ``Part/error``; its data stays queued.
        case failed
    }

    /// What a part did.
    public struct Part: Sendable, Hashable {
        /// Which part.
        public var name: Name
        /// How it ended.
        public var result: Result
        /// A stable code with details, such as `fresh`, or the code of the error.
        public var reason: String?
        /// The error of a failed part, which may have counts of what was done.
        public var error: ClientError?
        /// Counts such as `accepted`, in display order.
        public var counts: [Count]
    }

    /// A number of a part, such as events accepted.
    public struct Count: Sendable, Hashable {
        /// What was counted, in lower case.
        public var name: String
        /// How many.
        public var value: Int
    }

    /// In the order in which they ran.
    public var parts: [Part] = []

    /// Whether any part failed.
    public var hasFailed: Bool { parts.contains { $0.result == .failed } }
}
