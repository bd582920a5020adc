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
        let items = try store.catalogue.copy()?.itemCount ?? 0
        switch outcome {
        case .fresh: return .unneeded(.catalogue, "fresh", ["items": items])
        case .unchanged: return .done(.catalogue, "unchanged", ["items": items])
        case .updated(let changed, let deleted, let isWhole):
            return .done(
                .catalogue, isWhole ? "whole" : "changes", ["items": items, "changed": changed, "deleted": deleted])
        }
    }

    private func rates(force: Bool, at moment: Moment) async throws -> SyncReport.Part {
        switch try await RateSync(store: store, server: server).run(force: force, at: moment) {
        case .unneeded: .unneeded(.rates, "no_home_currency")
        case .fresh: .unneeded(.rates, "fresh")
        case .notOffered: .done(.rates, "not_offered")
        case .unchanged: .done(.rates, "unchanged")
        case .updated(let changed): .done(.rates, "changes", ["changed": changed])
        }
    }

    private func suggestions(at moment: Moment) async throws -> SyncReport.Part {
        guard try store.suggestions.counts().waiting > 0 else { return .unneeded(.suggestions, "empty") }
        let outcome = try await SuggestionSync(store: store, server: server).run(at: moment)
        return .sent(
            .suggestions, isTruncated: outcome.isTruncated,
            ["accepted": outcome.accepted, "duplicates": outcome.duplicates, "refused": outcome.refused])
    }

    private func erasure(at moment: Moment) async throws -> SyncReport.Part {
        guard try !store.analytics.erasures(for: server.address.text).isEmpty else {
            return .unneeded(.erasure, "empty")
        }
        let count = try await EventSync(store: store, server: server, device: device, clock: clock).erase(at: moment)
        return .done(.erasure, nil, ["erased": count])
    }

    /// Why nothing is sent without consent; nil with it.
    private func missingConsent() throws -> String? {
        switch try store.analytics.consent() {
        case .granted: nil
        case .revoked: "consent_revoked"
        case .undecided: "consent_undecided"
        }
    }

    private func analytics(at moment: Moment) async throws -> SyncReport.Part {
        let waiting = try store.analytics.queueCounts().waiting
        if let reason = try missingConsent() ?? (waiting > 0 ? nil : "empty") {
            return .unneeded(.analytics, reason, ["waiting": waiting])
        }
        let outcome = try await EventSync(
            store: store, server: server, device: device, signer: signer, clock: clock
        ).run(at: moment)
        return .sent(
            .analytics, isTruncated: outcome.isTruncated,
            [
                "accepted": outcome.accepted, "duplicates": outcome.duplicates, "rejected": outcome.rejected,
                "waiting": try store.analytics.queueCounts().waiting,
            ])
    }

    private func signals(at moment: Moment) async throws -> SyncReport.Part {
        if let reason = try missingConsent() { return .unneeded(.signals, reason) }
        let counts = store.signals.counts()
        guard counts.sessions + counts.crashes > 0 else { return .unneeded(.signals, "empty") }
        let outcome = try await SignalSync(store: store, server: server, clock: clock).run(at: moment)
        return .done(
            .signals, nil,
            ["sessions": outcome.sessions, "crashes": outcome.crashes, "dropped": outcome.dropped])
    }

    private func premium(force: Bool, at moment: Moment) async throws -> SyncReport.Part {
        // Credentials that others may read are refused also while a proof is fresh.
        let isSignedIn = try account?.isSignedIn ?? false
        if !force, let proof = try store.premium.proof(), try isUpToDate(proof, at: moment) {
            return .unneeded(.premium, "fresh")
        }
        if let account, isSignedIn {
            let proof = try await PremiumProof(store: store, account: account).refresh(at: moment)
            return .done(.premium, proof.status.rawValue)
        }
        guard try store.premium.giver() == server.address.text else { return .unneeded(.premium, "not_signed_in") }
        let proof = try await PremiumProof(store: store, server: server).refresh(at: moment)
        return .done(.premium, proof.status.rawValue)
    }

    private func logoPart() async throws -> SyncReport.Part {
        guard let logos else { return .unneeded(.logos, "no_logos") }
        let outcome = try await LogoSync(store: store, server: server, cache: logos).run()
        guard outcome.all > 0 else { return .unneeded(.logos, "no_logos") }
        guard outcome.fetched + outcome.skipped > 0 else { return .unneeded(.logos, "fresh", ["all": outcome.all]) }
        return .done(
            .logos, nil, ["all": outcome.all, "fetched": outcome.fetched, "skipped": outcome.skipped])
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
    private init(
        _ name: SyncReport.Name, _ result: SyncReport.Result, _ reason: String?, _ counts: KeyValuePairs<String, Int>,
        error: ClientError? = nil
    ) {
        self.init(
            name: name, result: result, reason: reason, error: error,
            counts: counts.map { SyncReport.Count(name: $0, value: $1) })
    }

    fileprivate static func unneeded(
        _ name: SyncReport.Name, _ reason: String, _ counts: KeyValuePairs<String, Int> = [:]
    ) -> Self { Self(name, .unneeded, reason, counts) }

    fileprivate static func done(
        _ name: SyncReport.Name, _ reason: String?, _ counts: KeyValuePairs<String, Int> = [:]
    ) -> Self { Self(name, .done, reason, counts) }

    /// The result of a part that sends queued data.
    ///
    /// - Parameter isTruncated: whether data is left in the queue.
    fileprivate static func sent(
        _ name: SyncReport.Name, isTruncated: Bool, _ counts: KeyValuePairs<String, Int>
    ) -> Self {
        isTruncated
            ? Self(name, .failed, ClientError.moreLeft.code, counts, error: .moreLeft)
            : Self(name, .done, nil, counts)
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
