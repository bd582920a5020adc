import SQLDatabase
public import SubGuardDomain

/// What became of the last conversation with a server.
public struct SyncRecord: Sendable, Hashable {
    /// The last synchronisation in which nothing failed; nil before the first.
    public var succeededAt: UTCInstant?
    /// The last failure of each part since it last succeeded, such as `catalogue`, by its name.
    public var failures: [String: String]
}

extension DeviceStore.Sync {
    private static let succeededKey = "sync_succeeded_at"
    private static let failurePrefix = "sync_failure_"

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

    /// Notes how parts of a synchronisation went: why each failed, nil for one that did not.
    ///
    /// - Parameter isWhole: whether these are all the parts there are.
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
