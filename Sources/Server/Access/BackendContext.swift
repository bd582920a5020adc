package import Foundation
package import SQLDatabase
package import SubGuardDomain
import TextCoding

/// Dependencies of every feature: the database, the clock and the source of randomness.
package struct BackendContext: Sendable {
    package let store: any SQLStore
    package let now: @Sendable () -> UTCInstant
    /// 64 random bits per call, for tokens and ids; cryptographically secure in production.
    package let random: @Sendable () -> UInt64

    package init(
        store: any SQLStore, now: @escaping @Sendable () -> UTCInstant, random: @escaping @Sendable () -> UInt64
    ) {
        self.store = store
        self.now = now
        self.random = random
    }

    /// Runs a transaction, or reads, at one instant: that before it begins.
    @discardableResult
    package func write<Result>(_ body: (any SQLTransaction, UTCInstant) throws -> Result) throws -> Result {
        let now = now()
        return try store.write { try body($0, now) }
    }

    package func read<Result>(_ body: (any SQLSession, UTCInstant) throws -> Result) throws -> Result {
        let now = now()
        return try store.read { try body($0, now) }
    }

    /// A new UUIDv7 at the current time.
    package func makeID() -> UUID {
        UUIDv7.make(millisecondsSinceEpoch: now().millisecondsSinceEpoch, random: (random(), random()))
    }

    /// `count` random bytes.
    @Sendable package func makeRandomBytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            withUnsafeBytes(of: random()) { bytes.append(contentsOf: $0) }
        }
        return Array(bytes.prefix(count))
    }

    /// How far the clock that began something may have been ahead. Beyond that, it would last longer than allowed by as
    /// much, so it has ended.
    static let clockMinutes = 10

    /// The latest end of what is made now to last for some minutes: a later one was set by a clock that was ahead.
    package static func latestEnd(minutes: Int, at now: UTCInstant) -> UTCInstant {
        now.adding(seconds: Int64(minutes + clockMinutes) * 60)
    }
}

/// The identity of a database.
package struct StoreIdentity: Sendable, Hashable {
    /// 8 random bytes, generated when the database is first opened; they never change.
    package let epoch: [UInt8]
    /// The same, in hexadecimal digits.
    package var text: String { Hexadecimal.text(epoch) }

    /// Reads the identity, or creates it on the first call. Two processes that open a new database at the same time get
    /// the same one.
    package init(context: BackendContext) throws {
        if let epoch = try context.store.read(Self.readEpoch) {
            self.epoch = epoch
            return
        }
        let candidate = context.makeRandomBytes(8)
        epoch = try context.store.write { transaction in
            try transaction.execute(
                "INSERT INTO store_metadata (key, value) VALUES ('epoch', ?) ON CONFLICT (key) DO NOTHING",
                [.blob(candidate)])
            return try Self.readEpoch(transaction) ?? candidate
        }
    }

    private static func readEpoch(_ session: any SQLSession) throws -> [UInt8]? {
        try session.first("SELECT value FROM store_metadata WHERE key = 'epoch'") { try $0.blob(0) }
    }
}

/// Why the backend rejects a valid call. Failures of the database stay `SQLError`.
package enum BackendError: Error, Sendable, Equatable, CustomStringConvertible {
    /// `what` is a readable noun, such as `catalogue item`.
    case notFound(what: String)
    /// The caller lacks a permission; `detail` names it.
    case forbidden(detail: Sentence)
    /// The current state forbids it; `code` is stable snake_case.
    case conflict(code: ProblemCode = .conflict, detail: Sentence)
    /// The caller's revision is not the current one; nil after a deletion.
    case preconditionFailed(currentRevision: Int64?)
    /// Lists every invalid field.
    case invalid(FaultList)
    /// The requested object existed and will not return.
    case gone(detail: Sentence)
    /// Nothing was stored; retry after this time.
    case overloaded(retryAfterSeconds: Int)

    /// A sentence for the command line.
    package var description: String {
        switch self {
        case .notFound(let what): "there is no such \(what)"
        case .conflict(_, let detail), .gone(let detail), .forbidden(let detail): detail.text
        case .preconditionFailed: "another user changed it; read it again"
        case .invalid(let errors):
            (errors.map { "\($0.pointer): \($0.detail)" } + (errors.omitted > 0 ? ["and \(errors.omitted) more"] : []))
                .joined(separator: "\n")
        case .overloaded: "the server is overloaded; try again later"
        }
    }
}

extension BackendError {
    /// Throws ``preconditionFailed(currentRevision:)`` if the caller expects another revision than the present one.
    package static func requireRevision(_ expected: Int64?, is present: Int64?) throws {
        guard expected == nil || expected == present else { throw preconditionFailed(currentRevision: present) }
    }
}

extension Optional {
    /// The value. Throws ``BackendError/notFound(what:)`` for nil.
    package func orNotFound(_ what: String) throws -> Wrapped {
        guard let self else { throw BackendError.notFound(what: what) }
        return self
    }
}
