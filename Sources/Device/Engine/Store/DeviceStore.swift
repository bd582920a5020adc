public import Foundation
import Locking
import SQLDatabase
import SQLiteDatabase
public import SubGuardDomain

/// The store of one device: an SQLite file that an app, its widget and a command line may use at the same time.
///
/// Every change is one transaction that is on disk when the call returns. What depends on the day is kept derived for
/// one day (`standings`); the first call on another day brings it up to date. Calls block their thread.
public final class DeviceStore: Sendable {
    let database: SQLiteStore
    /// Why nothing can be written; nil for a store like any other.
    private let readOnlyReason: String?
    /// Random numbers for ids.
    let random: @Sendable () -> UInt64
    /// In the place of what the store has kept, for tests and for those who build for themselves.
    let entitlementOverride: Entitlement?
    /// In the place of the answer that the store has kept, for one process.
    let consentOverride: AnalyticsConsent?
    private let listeners = Guarded(Listeners())

    /// The file's absolute path.
    public let path: String

    private struct Listeners {
        var next = 0
        var all: [Int: @Sendable () -> Void] = [:]
    }

    /// How a file is opened.
    public enum Access: Sendable {
        /// For reading and writing; for reading alone where the file or its folder cannot be written to.
        case full
        /// On a copy of its own, which goes with the store: nothing at all is written to the file, and writes last no
        /// longer than the store. For trying out what would happen.
        case trial
    }

    /// Opens the file, creates it where it is missing, and migrates an older one after making a copy beside it.
    ///
    /// A file that cannot be written to is read as it is and answers all questions; writing throws
    /// ``DeviceStoreError/storage(_:)`` with the reason.
    ///
    /// - Parameters:
    ///   - entitlement: in the place of the one that the store keeps; nil for that one.
    ///   - consent: in the place of the answer that the store keeps; nil for that one.
    ///
    /// Throws ``DeviceStoreError/tooNew(_:)`` for a store of a newer version, and ``DeviceStoreError/storage(_:)`` for
    /// another program's database; both stay untouched.
    public convenience init(
        path: String, access: Access = .full, now: UTCInstant, entitlement: Entitlement? = nil,
        consent: AnalyticsConsent? = nil,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) throws {
        let (database, reason) = try Self.mapping {
            try SQLiteStore.requireOwn(path: path, options: Self.options)
            let reason = StoreFile.reasonAgainstWriting(path)
            let isCopied = access == .trial || reason != nil
            return (
                isCopied
                    ? try SQLiteStore.temporary(copyOf: path, options: Self.options)
                    : try SQLiteStore(path: path, options: Self.options), access == .trial ? nil : reason
            )
        }
        try self.init(
            database, path: StoreFile.absolute(path), readOnlyReason: reason, now: now, entitlement: entitlement,
            consent: consent, random: random)
    }

    /// A store in a temporary folder that goes with it, for tests and for trying things out.
    public static func temporary(
        now: UTCInstant = UTCInstant(secondsSinceEpoch: 0), entitlement: Entitlement? = nil,
        consent: AnalyticsConsent? = nil,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) throws -> DeviceStore {
        let database = try mapping { try SQLiteStore.temporary(options: options) }
        return try DeviceStore(
            database, path: database.path, readOnlyReason: nil, now: now, entitlement: entitlement, consent: consent,
            random: random)
    }

    init(
        _ database: SQLiteStore, path: String, readOnlyReason: String?, now: UTCInstant, entitlement: Entitlement?,
        consent: AnalyticsConsent?,
        random: @escaping @Sendable () -> UInt64
    ) throws {
        self.database = database
        self.path = path
        self.readOnlyReason = readOnlyReason
        entitlementOverride = entitlement
        consentOverride = consent
        self.random = random
        _ = try Self.mapping {
            try Migrator(migrations: EngineMigrations.all).migrate(database, now: now.rfc3339)
        }
    }

    /// Throws where nothing can be written.
    func requireWritable() throws {
        if let readOnlyReason { throw DeviceStoreError.storage("\(path) can only be read: \(readOnlyReason)") }
    }

    private static var options: SQLiteOptions {
        var options = SQLiteOptions()
        options.readerCacheKibibytes = 8192
        // The store is the user's own, and may lie elsewhere.
        options.followsLinks = true
        return options
    }

    /// Waits for calls under way and closes. Later calls throw.
    public func close() throws { try Self.mapping { try database.close() } }

    public func makeID(_ moment: Moment) -> UUID {
        UUIDv7.make(millisecondsSinceEpoch: moment.now.millisecondsSinceEpoch, random: (random(), random()))
    }

    // MARK: Units of work

    /// Runs `body` on one snapshot in which the standings are those of the moment's day.
    func read<Result>(at moment: Moment, _ body: (any SQLSession) throws -> Result) throws -> Result {
        let day = Int64(moment.today.daysSinceEpoch)
        return try Self.mapping {
            let outcome: Result? = try database.read { session in
                try session.first("SELECT as_of FROM store", [], { try $0.integer(0) }) == day ? try body(session) : nil
            }
            if let outcome { return outcome }
            // In the writer's transaction, so that a process with another day cannot come in between.
            return try database.write { session in
                try Standings(session, today: moment.today).bringUpToDate()
                return try body(session)
            }
        }
    }

    /// Runs `body` on a snapshot, for what no day changes.
    func read<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result {
        try Self.mapping { try database.read(body) }
    }

    /// Runs `body` in one transaction with the standings up to date before it. All or nothing of it is on disk when
    /// this returns or throws.
    @discardableResult
    func write<Result>(at moment: Moment, _ body: (UnitOfWork) throws -> Result) throws -> Result {
        try requireWritable()
        let result = try Self.mapping {
            try database.write { session in
                try Standings(session, today: moment.today).bringUpToDate()
                let unit = try UnitOfWork(
                    session, moment, entitlement: entitlementOverride, consent: consentOverride, random: random)
                let result = try body(unit)
                try unit.finish()
                return result
            }
        }
        for listener in listeners.withLock({ Array($0.all.values) }) { listener() }
        return result
    }

    /// Deletes one row by its id.
    func delete(_ id: UUID, from table: EntityTable, _ entity: DeviceStoreError.Entity, at moment: Moment) throws {
        try write(at: moment) { unit in
            guard try unit.session.execute(table.deleteSQL, [.uuid(id)]) > 0 else {
                throw DeviceStoreError.notFound(entity, id: id.lowercased)
            }
        }
    }

    /// Grows with every change, whichever process made it.
    public func revision() throws -> Int64 {
        try read { try $0.first("SELECT revision FROM store", [], { try $0.integer(0) }) ?? 0 }
    }

    // MARK: Listeners

    func listen(_ listener: @escaping @Sendable () -> Void) -> Int {
        listeners.withLock { listeners in
            listeners.next += 1
            listeners.all[listeners.next] = listener
            return listeners.next
        }
    }

    func unlisten(_ number: Int) { listeners.withLock { _ = $0.all.removeValue(forKey: number) } }

    /// Gives errors of the layers below their place in ``DeviceStoreError``.
    static func mapping<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as Fault {
            throw DeviceStoreError.invalid(error)
        } catch let error as PremiumGate.Refusal {
            throw DeviceStoreError.premiumRequired(error.feature)
        } catch MigrationError.storeFromTheFuture {
            throw DeviceStoreError.tooNew("the store")
        } catch let error as MigrationError {
            throw DeviceStoreError.storage("\(error)")
        } catch let error as SQLError {
            throw DeviceStoreError.storage("\(error.code.rawValue) (\(error.context))")
        }
    }
}

/// What the file system says about a store's file before it is opened.
enum StoreFile {
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Why a file that is there cannot be a store to write to, in the system's words; nil where it can, and where there is
    /// none yet. SQLite needs to make its log beside the file.
    static func reasonAgainstWriting(_ path: String) -> String? {
        let path = absolute(path)
        guard access(path, F_OK) == 0 else { return nil }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
        // What the system would let this process do: root may write to a file of mode 0444, and does.
        for place in [path, folder] where access(place, W_OK) != 0 { return String(cString: strerror(errno)) }
        return nil
    }
}
