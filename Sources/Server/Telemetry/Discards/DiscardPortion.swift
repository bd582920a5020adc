import EventLog
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// A part of a discard's events, with all other logged events of the same users: everything needed to recompute these
/// users.
struct DiscardPortion {
    struct Event {
        let occurredAt: UTCInstant
        let block: Int64
        let milestone: Milestone?
        /// Change of the user's subscriptions: 1, 0 or -1.
        let subscriptions: Int8
        let isSelected: Bool
        let segment: UserSegment
    }

    struct User {
        /// Ordered by time once the portion is complete.
        var events: [Event] = []
        /// The first batch with an event of this user: its block and its index in the block.
        fileprivate var batch: (block: Int64, number: Int)?
        fileprivate var isOfOneBatch = true
        fileprivate var firstReceivedAt = UTCInstant.latest

        /// The block of the first selected event.
        var firstSelectedBlock: Int64 { events.lazy.filter(\.isSelected).map(\.block).min() ?? .max }
    }

    let selection: DiscardSelection
    /// All selected events in blocks up to and including this one are in the portion.
    let through: Int64
    /// Events that occurred from this instant on are complete; nil if none were ever purged.
    let completeFrom: UTCInstant?
    /// Users with a selected event.
    private(set) var users: [UserHash: User] = [:]
    /// What is kept of those of them who were seen before ``completeFrom``, as far as it was asked for.
    private(set) var kept: [UserHash: UserState] = [:]
    /// Blocks with selected events, in order, and how many are in each.
    private(set) var blocks: ArraySlice<(id: Int64, selected: Int)> = []
    private(set) var names: EventNames
    /// Those of the blocks that were read last.
    private(set) var versions = AppVersions()
    private var scannedBlock: Int64

    /// Searches the blocks after `swept` through `lastBlock` until at least `mostEvents` are found, then reads the
    /// whole log for the other events of their users.
    ///
    /// - Parameter includesKept: also reads the stored rows of these users, as a preview needs.
    init(
        _ selection: DiscardSelection, after swept: Int64, through lastBlock: Int64, mostEvents: Int,
        includesKept: Bool = false, in session: any SQLSession
    ) throws {
        self.selection = selection
        completeFrom = try EventLogReader.completeFrom(in: session)
        names = try EventNames.load(in: session)
        scannedBlock = 0
        let sweep = try ErasureSweep(in: session)
        through = try Self.findUsers(
            selection, after: swept, through: lastBlock, mostEvents: mostEvents, sweep, into: &users, in: session)
        guard !users.isEmpty else { return }
        // Versions of later blocks may have no code yet.
        let folded = try EventFoldState.load(in: session).state.foldedBlock
        try readEvents(after: 0, through: folded, selectedThrough: lastBlock, sweep, in: session)
        if selection.isOfOneBatchOnly { users = users.filter { $1.isOfOneBatch } }
        if selection.isFirstSeenInWindowOnly {
            users = users.filter { $1.firstReceivedAt >= selection.receivedFrom }
        }
        if let completeFrom, includesKept || selection.narrowsUsers {
            kept = try UserState.load(before: completeFrom, in: session) { users[$0] != nil }
        }
        // If a user's first events are purged, their time of arrival is unknown, so such users are not discarded.
        if let completeFrom, selection.narrowsUsers {
            for (hash, user) in kept where user.hasTraces(beyond: users[hash]?.events ?? [], before: completeFrom) {
                users[hash] = nil
            }
        }
        var counts: [Int64: Int] = [:]
        var place = users.startIndex
        while place != users.endIndex {
            // Sorted in place, to avoid copying the events of many users.
            users.values[place].events.sort { $0.occurredAt < $1.occurredAt }
            for event in users.values[place].events where event.isSelected && event.block <= through {
                counts[event.block, default: 0] += 1
            }
            users.formIndex(after: &place)
        }
        blocks = counts.map { (id: $0.key, selected: $0.value) }.sorted { $0.id < $1.id }[...]
    }

    /// Returns the last block that was searched.
    private static func findUsers(
        _ selection: DiscardSelection, after swept: Int64, through lastBlock: Int64, mostEvents: Int,
        _ sweep: ErasureSweep?, into users: inout [UserHash: User], in session: any SQLSession
    ) throws -> Int64 {
        var (position, found) = (swept, 0)
        while position < lastBlock, found < mostEvents {
            let start = position
            // No batch was received after its block. The unary plus makes SQLite use the order of the ids.
            try session.forEach(
                """
                SELECT id, events FROM event_blocks WHERE id > ? AND id <= ? AND +received_at >= ?
                ORDER BY id LIMIT \(blocksReadAtOnce)
                """, [.integer(start), .integer(lastBlock), .instant(selection.receivedFrom)]
            ) { row in
                guard found < mostEvents else { return }
                let block = try row.integer(0)
                position = block
                try EventBlockReader.read(try row.blob(1), of: block) { reader in
                    var filter = DiscardFilter(selection, reader)
                    try reader.forEach { event in
                        guard filter.selects(event) else { return }
                        found += 1
                        users[sweep?.user(event.userID, block: block) ?? event.userID] = User()
                    }
                }
            }
            if position == start { position = lastBlock }
        }
        return position
    }

    private static let blocksReadAtOnce = 50

    /// Adds all events of the users in the blocks after `first` up to one. Only blocks up to `lastBlock` have selected
    /// events.
    private mutating func readEvents(
        after first: Int64, through last: Int64, selectedThrough lastBlock: Int64, _ sweep: ErasureSweep?,
        in session: any SQLSession
    ) throws {
        versions = try AppVersions.load(in: session)
        try session.forEach(
            "SELECT id, events FROM event_blocks WHERE id > ? AND id <= ? ORDER BY id",
            [.integer(first), .integer(last)]
        ) { row in
            let block = try row.integer(0)
            scannedBlock = block
            func user(_ hash: UserHash) -> UserHash { sweep?.user(hash, block: block) ?? hash }
            try EventBlockReader.read(try row.blob(1), of: block) { reader in
                guard try reader.containsUser(where: { users[user($0)] != nil }) else { return }
                var filter = DiscardFilter(selection, reader)
                let segments = BlockSegments(of: reader, versions)
                try reader.forEachUser { hash, events in
                    guard let place = users.index(forKey: user(hash)) else { return }
                    for event in events {
                        let name = try names.name(of: event.nameID, in: session)
                        let isSearched = block <= lastBlock
                        users.values[place].add(
                            Event(
                                occurredAt: event.occurredAt, block: block, milestone: Milestone(eventName: name),
                                subscriptions: name == "subscription_added"
                                    ? 1 : name == "subscription_removed" ? -1 : 0,
                                isSelected: isSearched && filter.selects(event),
                                segment: segments.segment(of: event)))
                        if isSearched { users.values[place].note(event, block: block) }
                    }
                }
            }
        }
    }

    /// Adds the events logged since the portion was read. Call it when all blocks are in the figures.
    mutating func catchUp(in session: any SQLSession) throws {
        let known = scannedBlock
        try readEvents(after: known, through: .max, selectedThrough: 0, nil, in: session)
    }

    /// Removes selected events of a user that are no longer in the log.
    mutating func remove(_ removed: [Event], of hash: UserHash) {
        guard let place = users.index(forKey: hash) else { return }
        var counts: [EventKey: Int] = [:]
        for event in removed { counts[EventKey(event), default: 0] += 1 }
        users.values[place].events.removeAll { event in
            guard event.isSelected, let count = counts[EventKey(event)], count > 0 else { return false }
            counts[EventKey(event)] = count - 1
            return true
        }
    }

    /// Records that `count` selected events of the first block have been removed.
    mutating func removeFromFirstBlock(_ count: Int) {
        guard let first = blocks.first else { return }
        blocks[blocks.startIndex].selected -= count
        if first.selected <= count { blocks.removeFirst() }
    }
}

/// Events of a user with equal keys are interchangeable in all figures.
private struct EventKey: Hashable {
    let occurredAt: UTCInstant
    let block: Int64
    let milestone: Milestone?

    init(_ event: DiscardPortion.Event) {
        (occurredAt, block, milestone) = (event.occurredAt, event.block, event.milestone)
    }
}

extension DiscardPortion.User {
    fileprivate mutating func add(_ event: DiscardPortion.Event) { events.append(event) }

    /// Records in which batches and from when the user's events were received.
    fileprivate mutating func note(_ event: EventBlockReader.Event, block: Int64) {
        firstReceivedAt = min(firstReceivedAt, event.receivedAt)
        if let batch, batch != (block, event.batch) { isOfOneBatch = false }
        if batch == nil { batch = (block, event.batch) }
    }
}
