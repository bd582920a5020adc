public import Foundation
import SQLDatabase
public import SubGuardDomain
import Synchronization

/// The store of one device: an SQLite file that an app, its widget and a command line may use at the same time.
///
/// Every change is one transaction that is on disk when the call returns. What depends on the day is kept derived for
/// one day (`standings`); the first call on another day brings it up to date. Calls block their thread.
public final class DeviceStore: Sendable {
    let database: SQLiteStore
    /// Random numbers for ids.
    let random: @Sendable () -> UInt64
    /// In the place of what the store has kept, for tests and for those who build for themselves.
    let entitlementOverride: Entitlement?
    /// In the place of the answer that the store has kept, for one process.
    let consentOverride: AnalyticsConsent?
    private let listeners = Mutex(Listeners())

    /// The file's absolute path.
    public var path: String { database.path }

    private struct Listeners {
        var next = 0
        var all: [Int: @Sendable () -> Void] = [:]
    }

    /// Opens the file, creates it where it is missing, and migrates an older one after making a copy beside it.
    ///
    /// - Parameters:
    ///   - entitlement: in the place of the one that the store keeps; nil for that one.
    ///   - consent: in the place of the answer that the store keeps; nil for that one.
    ///
    /// Throws ``DeviceStoreError/tooNew(_:)`` for a store of a newer version, which stays untouched.
    public convenience init(
        path: String, now: UTCInstant, entitlement: Entitlement? = nil, consent: AnalyticsConsent? = nil,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) throws {
        try self.init(
            Self.mapping { try SQLiteStore(path: path, options: Self.options) }, now: now, entitlement: entitlement,
            consent: consent, random: random)
    }

    /// A store in a temporary folder that goes with it, for tests and for trying things out.
    public static func temporary(
        now: UTCInstant = UTCInstant(secondsSinceEpoch: 0), entitlement: Entitlement? = nil,
        consent: AnalyticsConsent? = nil,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) throws -> DeviceStore {
        try DeviceStore(
            mapping { try SQLiteStore.temporary(options: options) }, now: now, entitlement: entitlement,
            consent: consent, random: random)
    }

    init(
        _ database: SQLiteStore, now: UTCInstant, entitlement: Entitlement?, consent: AnalyticsConsent?,
        random: @escaping @Sendable () -> UInt64
    ) throws {
        self.database = database
        entitlementOverride = entitlement
        consentOverride = consent
        self.random = random
        _ = try Self.mapping {
            try Migrator(migrations: EngineMigrations.all).migrate(database, now: now.rfc3339)
        }
    }

    private static var options: SQLiteOptions {
        var options = SQLiteOptions()
        options.readerCacheKibibytes = 8192
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
        } catch let error as InvalidField {
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
