package import Foundation
import SQLDatabase
package import SubGuardDomain

/// Events in the log that are not in the figures yet, grouped by user, so that each user is looked up once.
package struct UnfoldedEvents {
    package struct Event: Sendable {
        package let occurredAt: UTCInstant
        package let nameID: Int64
        /// The catalogue item of an added subscription.
        package let item: UUID?
        package let segment: UserSegment
    }

    package struct User: Sendable {
        package let key: Int64
        package let hash: UserHash
        /// At least one, in any order.
        package internal(set) var events: [Event]
    }

    /// What is left, in the order of the keys, which is that of the stored users.
    private(set) var users: ArraySlice<User>
    /// Events in the blocks of the fold that it leaves out, because their moments had not come when it began.
    let deferred: [DeferredEvents.Event]

    /// The events of a fold, less the users whom it has brought into their pages already. `names` is brought up to
    /// date, and app versions that have no code get theirs.
    init(
        of state: EventFoldState, seed: EventIDSeed, names: inout EventNames,
        addingVersionsIn transaction: any SQLTransaction
    ) throws {
        let versions = try AppVersions.load(in: transaction)
        try self.init(of: state, seed: seed, names: &names, versions, in: transaction) { version, versions in
            try versions.add(version, in: transaction)
        }
    }

    /// The same for a session that only reads: nil if a version would get a code.
    init?(of state: EventFoldState, seed: EventIDSeed, names: inout EventNames, in session: any SQLSession) throws {
        struct NeedsCode: Error {}
        let versions = try AppVersions.load(in: session)
        do {
            try self.init(of: state, seed: seed, names: &names, versions, in: session) { version, versions in
                if versions.wouldAdd(version) { throw NeedsCode() }
            }
        } catch is NeedsCode {
            return nil
        }
    }

    private init(
        of state: EventFoldState, seed: EventIDSeed, names: inout EventNames, _ versions: AppVersions,
        in session: any SQLSession, adding addVersion: (String, inout AppVersions) throws -> Void
    ) throws {
        var versions = versions
        var places: [UserHash: Int] = [:]
        var found: [User] = []
        var deferred: [DeferredEvents.Event] = []
        // Deferred events may still bear the hash of a device that is being made anonymous.
        let sweep = try ErasureSweep(in: session)
        func add(_ event: Event, of user: UserHash) {
            if let place = places[user] {
                found[place].events.append(event)
            } else {
                places[user] = found.count
                found.append(User(key: seed.key(of: user), hash: user, events: [event]))
            }
        }
        func add(_ block: Int64, _ bytes: [UInt8], after counted: UTCInstant?) throws {
            try EventBlockReader.read(bytes, of: block) { reader in
                var items: [Int: UUID?] = [:]
                let segments = try BlockSegments(of: reader, &versions, adding: addVersion)
                var number: Int64 = 0
                try reader.forEachUser { reported, events in
                    let user = sweep?.user(reported, block: block) ?? reported
                    for event in events {
                        number += 1
                        if let counted, event.occurredAt <= counted { continue }
                        let name = try names.name(of: event.nameID, in: session)
                        let item = name == "subscription_added" ? reader.item(ofSet: event.set, known: &items) : nil
                        let segment = segments.segment(of: event)
                        if event.occurredAt > state.foldingUntil {
                            deferred.append(
                                DeferredEvents.Event(
                                    occurredAt: event.occurredAt, block: block, place: number, user: user,
                                    nameID: event.nameID, item: item, segment: segment))
                        } else {
                            add(
                                Event(
                                    occurredAt: event.occurredAt, nameID: event.nameID, item: item, segment: segment),
                                of: user)
                        }
                    }
                }
            }
        }
        try session.forEach(
            "SELECT id, events FROM event_blocks WHERE id > ? AND id <= ? ORDER BY id",
            [.integer(state.foldedBlock), .integer(state.foldingBlock)]
        ) { try add(try $0.integer(0), try $0.blob(1), after: nil) }
        // In order, so that the same log always gives the same bytes.
        for (block, counted) in state.deferredBlocks.sorted(by: { $0.key < $1.key }) {
            let bytes = try session.first("SELECT events FROM event_blocks WHERE id = ?", [.integer(block)]) {
                try $0.blob(0)
            }
            if let bytes { try add(block, bytes, after: counted) }
        }
        try DeferredEvents.forEach(dueBy: state.foldingUntil, in: session) { event in
            _ = try names.name(of: event.nameID, in: session)
            let content = Event(
                occurredAt: event.occurredAt, nameID: event.nameID, item: event.item, segment: event.segment)
            add(content, of: event.user)
        }
        if let key = state.foldedKey { found.removeAll { $0.key <= key } }
        found.sort { $0.key < $1.key }
        users = found[...]
        self.deferred = deferred
    }

    /// Takes out the next ones: at least `count` if there are so many, and all who have the last one's key.
    mutating func take(_ count: Int) -> ArraySlice<User> {
        var end = min(users.startIndex + count, users.endIndex)
        while end > users.startIndex, end < users.endIndex, users[end].key == users[end - 1].key { end += 1 }
        defer { users = users[end...] }
        return users[..<end]
    }

    /// Leaves out users with keys up to one, whom another process has brought into their pages meanwhile.
    mutating func drop(through key: Int64?) {
        guard let key else { return }
        users = users.drop { $0.key <= key }
    }
}

/// Blocks not in the figures yet, and their event counts, as far as known to this process.
struct UnfoldedBlocks {
    private var blocks: [(id: Int64, eventCount: Int)] = []
    private var folded: Int64 = 0
    private(set) var eventCount = 0

    /// Adds blocks in ascending order.
    mutating func add(_ seen: [(id: Int64, eventCount: Int)]) {
        // A block may already be folded when its writer reports it.
        for block in seen where block.id > folded && block.id > blocks.last?.id ?? 0 {
            blocks.append(block)
            eventCount += block.eventCount
        }
    }

    mutating func drop(through block: Int64) {
        guard block > folded else { return }
        folded = block
        eventCount -= blocks.prefix { $0.id <= block }.reduce(0) { $0 + $1.eventCount }
        blocks = Array(blocks.drop { $0.id <= block })
    }
}
