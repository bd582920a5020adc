import SQLDatabase
public import SubGuardDomain

/// The result of the last synchronisations.
public struct SyncRecord: Sendable, Hashable {
    /// The time of the last complete success; nil before the first.
    public var succeededAt: UTCInstant?
    /// The last failure of each part since its last success, by name, such as `catalogue`.
    public var failures: [String: String]
}

extension DeviceStore.Sync {
    private static let succeededKey = "sync_succeeded_at"
    private static let failurePrefix = "sync_failure_"

    /// The results of the last sync; empty before the first one.
    public func last() throws -> SyncRecord {
        try store.read { session in
            let settings = Settings(session)
            let rows = try session.query(
                "SELECT key, value FROM settings WHERE key LIKE 'sync\\_failure\\_%' ESCAPE '\\'"
            ) {
                (String(try $0.text(0).dropFirst(Self.failurePrefix.count)), try $0.text(1))
            }
            return SyncRecord(
                succeededAt: try settings.value(Self.succeededKey).flatMap { Int64($0) }
                    .map { UTCInstant(millisecondsSinceEpoch: $0) },
                failures: Dictionary(rows) { $1 })
        }
    }

    /// Records the results of a synchronisation: the reason per failed part, nil for the others.
    ///
    /// - Parameter isWhole: whether these are all parts.
    package func record(_ parts: [(name: String, failure: String?)], isWhole: Bool, at moment: Moment) throws {
        try store.write(at: moment) { unit in
            for (name, failure) in parts {
                try Settings.set(failure, for: Self.failurePrefix + name, in: unit.session)
            }
            if isWhole, parts.allSatisfy({ $0.failure == nil }) {
                try Settings.set("\(moment.now.millisecondsSinceEpoch)", for: Self.succeededKey, in: unit.session)
            }
        }
    }
}
