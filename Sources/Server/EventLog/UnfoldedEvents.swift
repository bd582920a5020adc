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
    }

    package typealias User = (user: UserHash, events: [Event])

    /// The remaining users, ordered by hash as in the index of users.
    private(set) var users: ArraySlice<User>

    /// Reads the events of the blocks that a fold covers, without users already counted. Updates `names`.
    init(of state: EventFoldState, names: inout EventNames, in session: any SQLSession) throws {
        var found: [UserHash: [Event]] = [:]
        try session.forEach(
            "SELECT id, events FROM event_blocks WHERE id > ? AND id <= ? ORDER BY id",
            [.integer(state.foldedBlock), .integer(state.foldingBlock)]
        ) { row in
            let block = try row.integer(0)
            let bytes = try row.blob(1)
            try EventBlockError.naming(block) {
                try bytes.withUnsafeBytes { bytes in
                    let reader = try EventBlockReader(bytes)
                    var items: [Int: UUID?] = [:]
                    try reader.forEachUser { user, events in
                        guard !state.isFolded(user, block: block) else { return }
                        for event in events {
                            let name = try names.name(of: event.nameID, in: session)
                            let item = name == "subscription_added" ? reader.item(of: event, known: &items) : nil
                            found[user, default: []].append(
                                Event(occurredAt: event.occurredAt, nameID: event.nameID, item: item))
                        }
                    }
                }
            }
        }
        users = found.map { (user: $0.key, events: $0.value) }.sorted { $0.user < $1.user }[...]
    }

    /// Removes and returns the next users.
    mutating func take(_ count: Int) -> ArraySlice<User> {
        defer { users = users.dropFirst(count) }
        return users.prefix(count)
    }

    /// Removes users with hashes up to `user`, which another process has counted.
    mutating func drop(through user: UserHash?) {
        guard let user else { return }
        users = users.drop { $0.user <= user }
    }
}

extension EventBlockReader {
    /// The catalogue item of an event; parsed once per property set.
    fileprivate func item(of event: Event, known items: inout [Int: UUID?]) -> UUID? {
        guard let set = event.set else { return nil }
        if let item = items[set] { return item }
        let item = AnalyticsEvent.catalogueItemID(in: properties(ofSet: set))
        items[set] = .some(item)
        return item
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
