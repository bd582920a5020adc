import FileAccess
public import Foundation
import Locking
package import SQLDatabase
import SQLiteDatabase
public import SubGuardDomain
import SubGuardSQL

/// The database of a device: an SQLite file that an app, its widget and the command line can use at the same time.
///
/// Everything it can do is grouped by noun: see `DeviceStore+Views.swift`. Every change is one transaction that is on
/// disk when the call returns. Values that depend on the day are kept in a projection (`SubscriptionProjection`), which
/// the first call of a new day updates. Calls block their thread.
public final class DeviceStore: Sendable {
    let database: SQLiteStore
    /// Why the database is read-only; nil when it can be written.
    private let readOnlyReason: String?
    /// Source of random numbers for ids.
    let random: @Sendable () -> UInt64
    /// Overrides the stored entitlement, for tests and self-builders.
    let entitlementOverride: Entitlement?
    /// Overrides the stored consent for this process.
    let consentOverride: AnalyticsConsent?
    /// Used while the device has no catalogue of a server; nil for none.
    let starter: StarterCatalogue?
    private let listeners = Guarded(Listeners())

    /// The file's absolute path.
    public let path: String

    private struct Listeners {
        var next = 0
        var all: [Int: @Sendable () -> Void] = [:]
    }

    /// How the file is opened.
    public enum Access: Sendable {
        /// For reading and writing; read-only when the file or its folder is not writable.
        case full
        /// On a temporary copy: the file is never changed, and writes are discarded on close. For dry runs.
        case trial
    }

    /// Opens the file. Creates it if missing; migrates an older one after making a copy beside it. One without a byte,
    /// beside which backups lie, was lost: it is refused with ``DeviceStoreError/emptiedDatabase(_:newestBackup:)``.
    ///
    /// A read-only file can be read; writing throws ``DeviceStoreError/storage(_:)``.
    ///
    /// - Parameters:
    ///   - path: of the file; a relative one is resolved against the current folder.
    ///   - access: how the file is opened.
    ///   - replacesEmptied: opens one that was lost as a new one, to restore a backup.
    ///   - now: the present time, noted with each migration that runs.
    ///   - entitlement: overrides the stored one; nil to use it.
    ///   - consent: overrides the stored one; nil to use it.
    ///   - starter: the catalogue while the device has none of a server, such as `.builtIn` of the client; nil for
    ///     none.
    ///   - random: gives the random bits of ids; tests replace it.
    ///
    /// Throws ``DeviceStoreError/tooNew(_:)`` for a database of a newer version, ``DeviceStoreError/earlierBuild``
    /// for one of a build before 0.1.0, ``DeviceStoreError/foreignDatabase`` for another program's database,
    /// ``DeviceStoreError/damagedDatabase`` for a damaged file, and ``DeviceStoreError/storage(_:)`` for a file or link
    /// that another user has put into a folder that others may change; none is changed.
    public convenience init(
        path: String, access: Access = .full, replacesEmptied: Bool = false, now: UTCInstant,
        entitlement: Entitlement? = nil,
        consent: AnalyticsConsent? = nil, starter: StarterCatalogue? = nil,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) throws {
        if !replacesEmptied, let backup = StoreFile.newestBackup(ofEmptied: path) {
            throw DeviceStoreError.emptiedDatabase(path, newestBackup: backup)
        }
        let reason = access == .trial ? nil : StoreFile.reasonAgainstWriting(path)
        let database = try Self.mapping {
            guard access == .full, reason == nil else { return try Self.copy(of: path) }
            try SQLiteStore.requireOwn(path: path, options: Self.options)
            return try SQLiteStore(path: path, options: Self.options)
        }
        try self.init(
            database, path: StoreFile.absolute(path), readOnlyReason: reason, now: now, entitlement: entitlement,
            consent: consent, starter: starter, random: random)
    }

    /// A temporary database that is deleted with the value, for tests.
    public static func temporary(
        now: UTCInstant = UTCInstant(secondsSinceEpoch: 0), entitlement: Entitlement? = nil,
        consent: AnalyticsConsent? = nil, starter: StarterCatalogue? = nil,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) throws -> DeviceStore {
        let database = try mapping { try SQLiteStore.temporary(options: options) }
        return try DeviceStore(
            database, path: database.path, readOnlyReason: nil, now: now, entitlement: entitlement, consent: consent,
            starter: starter, random: random)
    }

    /// Opens a temporary copy of a database that others may have made. Throws a fault of `file` for one with objects
    /// that its version did not make, before any other statement: a foreign trigger or view would run with the first.
    convenience init(copyOfForeign path: String, now: UTCInstant) throws {
        let copy = try Self.mapping { try Self.copy(of: path) }
        let foreign = try Self.foreignObjects(in: copy)
        guard foreign.isEmpty else {
            try? copy.close()
            let names = foreign.prefix(3).joined(separator: ", ")
            throw DeviceStoreError.invalid(
                Fault("file", .invalidFormat, "Another program has changed this database: \(names)."))
        }
        try self.init(
            copy, path: copy.path, readOnlyReason: nil, now: now, entitlement: nil, consent: nil, starter: nil,
            random: { .random(in: .min ... .max) })
    }

    private static func copy(of path: String) throws -> SQLiteStore {
        try SQLiteStore.requireOwn(path: path, options: options)
        return try SQLiteStore.temporary(copyOf: path, options: options)
    }

    init(
        _ database: SQLiteStore, path: String, readOnlyReason: String?, now: UTCInstant, entitlement: Entitlement?,
        consent: AnalyticsConsent?, starter: StarterCatalogue?,
        random: @escaping @Sendable () -> UInt64
    ) throws {
        self.database = database
        self.path = path
        self.readOnlyReason = readOnlyReason
        entitlementOverride = entitlement
        consentOverride = consent
        self.starter = starter
        self.random = random
        _ = try Self.mapping {
            try Migrator(migrations: EngineMigrations.all).migrate(database, now: now.rfc3339)
        }
    }

    var isWritable: Bool { readOnlyReason == nil }

    /// Throws when the database is read-only.
    func requireWritable() throws {
        if let readOnlyReason { throw DeviceStoreError.storage("\(path) is read-only: \(readOnlyReason)") }
    }

    private static var options: SQLiteOptions {
        var options = SQLiteOptions()
        options.readerCacheKibibytes = 4096
        options.writerCacheKibibytes = 8192
        // The user may have moved the database and left a link.
        options.followsLinks = true
        return options
    }

    /// How the tables, indexes, views and triggers of the database differ from those that this version made, in words;
    /// empty if they do not. Another program that changes them can change what is stored.
    public func foreignObjects() throws -> [String] { try Self.foreignObjects(in: database) }

    private static func foreignObjects(in database: SQLiteStore) throws -> [String] {
        try mapping { try database.objectDifferences(Migrator(migrations: EngineMigrations.all)) }
    }

    /// Waits for running calls, then closes the database. Later calls throw.
    public func close() throws { try Self.mapping { try database.close() } }

    /// A new UUID of version 7.
    public func makeID(_ moment: Moment) -> UUID {
        UUIDv7.make(millisecondsSinceEpoch: moment.now.millisecondsSinceEpoch, random: (random(), random()))
    }

    // MARK: Units of work

    /// Runs `body` on a snapshot whose projection is up to date for the moment's day.
    package func read<Result>(at moment: Moment, _ body: (any SQLSession) throws -> Result) throws -> Result {
        let day = Int64(moment.today.daysSinceEpoch)
        return try Self.mapping {
            let outcome: Result? = try database.read { session in
                try session.first("SELECT as_of FROM store", [], { try $0.integer(0) }) == day ? try body(session) : nil
            }
            if let outcome { return outcome }
            // In one write transaction, so that a process with another day cannot interfere.
            return try database.write { session in
                try SubscriptionProjection(session: session, today: moment.today).bringUpToDate()
                return try body(session)
            }
        }
    }

    /// Runs `body` on a snapshot, for data that does not depend on the day.
    func read<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result {
        try Self.mapping { try database.read(body) }
    }

    /// Runs `body` in one transaction, with the projection up to date. On return everything is on disk; on an error,
    /// nothing was changed.
    ///
    /// - Parameter kind: what the journal calls the change; nil for what cannot be taken back.
    @discardableResult
    package func write<Result>(
        at moment: Moment, as kind: JournalKind? = nil, _ body: (UnitOfWork) throws -> Result
    ) throws -> Result {
        try requireWritable()
        let result = try Self.mapping {
            try database.write { session in
                try SubscriptionProjection(session: session, today: moment.today).bringUpToDate()
                let unit = try UnitOfWork(
                    session, moment, entitlement: entitlementOverride, consent: consentOverride, random: random)
                let result = try kind.map { try unit.journaling($0) { try body(unit) } } ?? body(unit)
                try unit.finish()
                return result
            }
        }
        for listener in listeners.withLock({ Array($0.all.values) }) { listener() }
        return result
    }

    /// Deletes one row by its id.
    func delete(
        _ id: UUID, from table: EntityTable, _ entity: DeviceStoreError.Entity, at moment: Moment, as kind: JournalKind
    ) throws {
        try write(at: moment, as: kind) { unit in
            guard try unit.session.execute(table.deleteSQL, [.uuid(id)]) > 0 else {
                throw DeviceStoreError.notFound(entity, id: id.lowercased)
            }
        }
    }

    /// The revision: increases with every change by any process.
    public func revision() throws -> Int64 { try read(Self.revision) }

    static func revision(_ session: any SQLSession) throws -> Int64 {
        try session.first("SELECT revision FROM store", [], { try $0.integer(0) }) ?? 0
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

    /// Converts errors of lower layers to ``DeviceStoreError``.
    package static func mapping<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as Fault {
            throw DeviceStoreError.invalid(error)
        } catch let errors as FaultList {
            throw DeviceStoreError.of(errors) ?? .invalidFields([])
        } catch let error as PremiumGate.Refusal {
            throw DeviceStoreError.premiumRequired(error.feature)
        } catch MigrationError.storeFromTheFuture {
            throw DeviceStoreError.tooNew("the database")
        } catch MigrationError.earlierBuild {
            throw DeviceStoreError.earlierBuild
        } catch MigrationError.foreignStore {
            throw DeviceStoreError.foreignDatabase
        } catch let error as MigrationError {
            throw DeviceStoreError.storage("database error: \(error)")
        } catch let error as SQLError where error.code == .corrupt {
            throw DeviceStoreError.damagedDatabase
        } catch let error as SQLError {
            throw DeviceStoreError.storage("database error: \(error.reason)")
        } catch let error as FileFailure {
            throw DeviceStoreError.storage("\(error)")
        }
    }
}

/// Checks of the database file before it is opened.
enum StoreFile {
    /// For the log of a small change and its index.
    private static let leastFreeBytes: Int64 = 256 << 10

    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// The newest backup beside a database without a byte; nil for any other file. A database that was never closed may
    /// have everything in its log.
    static func newestBackup(ofEmptied path: String) -> String? {
        func size(_ path: String) -> Int? {
            (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
        }
        let file = URL(fileURLWithPath: absolute(path)).resolvingSymlinksInPath().path
        guard size(file) == 0, size(file + "-wal") ?? 0 == 0 else { return nil }
        // Names end in the time at which the backup was made.
        let folder = path + ".backups"
        let names = PrivateFolder.names(in: folder)
        let made = names.filter { $0.hasSuffix(".json") && $0.contains("-20") }.map { name in
            (time: name.split(separator: "-20", maxSplits: 1).last.map(String.init) ?? "", name: name)
        }
        return made.max { ($0.time, $0.name) < ($1.time, $1.name) }.map { "\(folder)/\($0.name)" }
    }

    /// Why an existing file is not writable; nil when it is, or does not exist. The folder must be writable and have
    /// room too, because SQLite creates its log there, and an index without which nothing can be read.
    static func reasonAgainstWriting(_ path: String) -> String? {
        let path = absolute(path)
        guard access(path, F_OK) == 0 else { return nil }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
        // access(2) knows that root may write to a file of mode 0444.
        for place in [path, folder] where access(place, W_OK) != 0 { return String(cString: strerror(errno)) }
        if let free = FreeSpace.bytes(at: path), free < leastFreeBytes { return "the disk is full" }
        return nil
    }
}
