import BackendTestKit
import EventLog
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Telemetry
import TestKit
import Testing

/// Exports of a log whose older events are in an archive, too.
struct EventExportArchiveTests {
    private let fixture: BackendFixture
    private let log: EventLog
    private let archive: KeptEvents

    /// Five blocks that fill a piece each.
    private static let blockSize = 1_500
    private static let everything = (0..<5 * blockSize).map { makeID(UInt64($0)).lowercased }

    init() throws {
        fixture = try BackendFixture(now: "2024-03-01T10:00:00Z")
        log = EventLog(context: fixture.context)
        for block in 0..<5 {
            let first = block * Self.blockSize
            let events = try (first..<first + Self.blockSize).map {
                try event(UInt64($0), user: $0 % 5, at: "2024-02-29T00:00:00Z")
            }
            _ = try log.append([EventBatch(events, receivedAt: "2024-02-2\(block)T00:00:00Z")])
        }
        archive = try KeptEvents(of: fixture)
    }

    private func purge(through block: Int) throws {
        try log.purge(before: try instant("2024-02-2\(block - 1)T12:00:00Z"))
    }

    /// `purges`: before which piece, through which block.
    @Test(arguments: [
        [:], [0: 1], [0: 2, 1: 3], [1: 1], [2: 2], [1: 3], [0: 1, 2: 4], [0: 2, 2: 3, 4: 4], [1: 5], [0: 5],
        [0: 1, 3: 5],
        [0: 2, 4: 3, 6: 4], [0: 1, 1: 2, 2: 3, 3: 4, 4: 5],
    ])
    func hasWhatIsPurgedBeforeItIsRead(_ purges: [Int: Int]) throws {
        let lines = try fixture.exported(archive: archive) { piece in
            if let block = purges[piece] { try purge(through: block) }
        }
        #expect(lines.ids == Self.everything)
    }

    @Test(arguments: [3, 4, 5], 1...4)
    func hasWhatIsPurgedAfterTheArchiveWasRead(through block: Int, beforePiece number: Int) throws {
        try purge(through: 2)
        let lines = try fixture.exported(archive: archive) { if $0 == number { try purge(through: block) } }
        #expect(lines.ids == Self.everything)
    }

    /// One that continues in the log, until that is purged.
    @Test(arguments: 1...4)
    func hasWhatIsPurgedAfterTheEventItBeganWith(through block: Int) throws {
        let all = try fixture.exported()
        let lines = try fixture.exported(EventExportSelection(after: all[700].position), archive: archive) {
            if $0 == 0 { try purge(through: block) }
        }
        #expect(lines.ids == Array(Self.everything.dropFirst(701)))
    }

    @Test func saysThatTheArchiveLacksWhereItStopped() throws {
        let empty = KeptEvents()
        let error = #expect(throws: ArchiveLacksEvent.self) {
            try fixture.exported(archive: empty) { if $0 == 2 { try purge(through: 3) } }
        }
        #expect("\(try #require(error))".contains(makeID(1_499).lowercased))
    }
}

/// The events that a log had at one time.
private struct KeptEvents: EventArchive {
    private var events: [(place: ArchivePlace, event: ArchivedEvent)] = []
    /// Smaller than a block.
    private static let pageSize = 1_000

    init() {}

    init(of fixture: BackendFixture) throws {
        var walk = try fixture.store.read { try EventLogWalk(after: nil, occurredFrom: nil, in: $0) }
        var users: [UserHash: Int64] = [:]
        while !walk.isAtEnd {
            try fixture.store.read { session in
                let names = try EventNames.load(in: session)
                try walk.takeStep(in: session) { visit in
                    let user = users[visit.user] ?? Int64(users.count + 1)
                    users[visit.user] = user
                    let last = events.last?.place
                    let place = last?.block == visit.block ? (last?.place ?? 0) + 1 : 0
                    events.append(
                        (
                            ArchivePlace(block: visit.block, place: place),
                            ArchivedEvent(
                                block: visit.block, id: visit.event.id.uuid,
                                name: names.name(of: visit.event.nameID) ?? "", user: user,
                                occurredAt: visit.event.occurredAt, receivedAt: visit.event.receivedAt, properties: [])
                        ))
                }
            }
        }
        try fixture.store.write { transaction in
            for (hash, number) in users {
                try transaction.execute(
                    "INSERT INTO event_sink_users (user_hash, number) VALUES (?, ?)",
                    [.blob(hash.bytes), .integer(number)])
            }
        }
    }

    func page(
        after place: ArchivePlace, before block: Int64, occurred range: ClosedRange<UTCInstant>
    ) -> ArchivePage {
        let rest = events.filter {
            ($0.place.block, $0.place.place) > (place.block, place.place) && $0.place.block < block
        }
        let page = rest.prefix(Self.pageSize)
        return ArchivePage(events: page.map(\.event), next: rest.count > page.count ? page.last?.place : nil)
    }

    func place(of event: EventPosition) -> ArchivePlace? {
        events.first { $0.event.id == event.id && $0.event.block == event.block }?.place
    }
}
