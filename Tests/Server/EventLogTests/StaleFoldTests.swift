import BackendTestKit
import EventLog
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Synchronization
import Telemetry
import TestKit
import Testing

/// Users that are changed between the moment at which a fold was worked out and its transaction, by another process in
/// which nothing is due yet.
struct StaleFoldTests {
    private let fixture: BackendFixture
    private let log: EventLog
    /// Of a process whose clock is two hours ahead.
    private let folding: EventLog
    private let interrupted: InterruptedStore

    init() throws {
        fixture = try BackendFixture()
        log = EventLog(context: fixture.context)
        let other = try fixture.reopened()
        other.now = fixture.now.adding(seconds: 7200)
        interrupted = InterruptedStore(other.store)
        folding = EventLog(
            context: BackendContext(store: interrupted, now: { other.now }, random: { other.context.random() }))
        // User 9 has an event dated ahead, which is due for the other process only.
        for user in 1...9 { try append(user, user: user, at: fixture.now) }
        try append(100, user: 9, at: fixture.now.adding(seconds: 3600))
        try log.settle()
    }

    private func append(_ number: Int, user: Int, at time: UTCInstant) throws {
        let event = try event(UInt64(number), "app_opened", user: user, at: time)
        let receivedAt = fixture.now.adding(seconds: Int64(-user))
        _ = try log.append([EventBatch(events: [event], rejected: [], receivedAt: receivedAt, byteCount: 0)])
    }

    /// What the fold of the other process finds when it writes.
    private func foldAfter(_ change: @escaping @Sendable () throws -> Void) throws {
        interrupted.interrupt(with: change)
        try folding.settle()
        #expect(!interrupted.isPending)
        fixture.now = fixture.now.adding(seconds: 7200)
        try log.settle()
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
    }

    @Test func keepsWhatAnErasureHasRenamed() throws {
        for user in 1...3 { try log.requestErasure(of: userHash(user)) }
        try foldAfter { [log] in try log.takeErasureStep() }
        try log.finishErasures()
        let stored = Set(try fixture.users().map(\.hash))
        #expect(stored.count == 9)
        for user in 1...3 { #expect(!stored.contains(userHash(user))) }
    }

    @Test func keepsWhatADiscardHasRemoved() throws {
        let discarder = EventDiscarder(log: log)
        let selection = DiscardSelection(
            receivedFrom: fixture.now.adding(seconds: -1), receivedBefore: fixture.now)
        _ = try discarder.begin(selection, by: .editor)
        try foldAfter { while try discarder.takeStep() {} }
        #expect(try fixture.users().count == 8)
    }

    @Test func keepsWhatARebuildHasCorrected() throws {
        try fixture.falsify(1, .removed)
        let rebuilder = FigureRebuilder(context: fixture.context, log: log)
        try foldAfter { _ = try rebuilder.rebuild(by: .editor) }
        #expect(try fixture.users().count == 9)
    }
}

/// Runs something once before a transaction on the figures.
private final class InterruptedStore: SQLStore {
    private let store: any SQLStore
    private let interruption = Mutex<(@Sendable () throws -> Void)?>(nil)

    init(_ store: any SQLStore) { self.store = store }

    var dialect: SQLDialect { store.dialect }
    var isPending: Bool { interruption.withLock { $0 != nil } }

    func interrupt(with body: @escaping @Sendable () throws -> Void) { interruption.withLock { $0 = body } }

    func read<Result>(_ body: (any SQLSession) throws -> Result) throws -> Result { try store.read(body) }

    func write<Result>(_ body: (any SQLTransaction) throws -> Result) throws -> Result { try store.write(body) }

    func write<Result>(in lane: SQLWriteLane, _ body: (any SQLTransaction) throws -> Result) throws -> Result {
        if lane == .figures { try interruption.withLock { $0.take() }?() }
        return try store.write(in: lane, body)
    }

    func close() throws { try store.close() }
}
