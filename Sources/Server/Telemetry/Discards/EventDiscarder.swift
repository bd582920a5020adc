package import EventLog
import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Synchronization

/// Removes forged events from the log, with their users and figures, as if they had never been received.
/// docs/events.md explains how.
///
/// A portion of the running discard is kept in memory. Another process, or this one after a restart, rebuilds it from
/// the log.
package final class EventDiscarder: Sendable {
    private struct Memory {
        var portion: DiscardPortion?
        /// The last state of the discard written by this process.
        var known: EventDiscard?
        /// The last observed progress, and when it was first observed.
        var seen: (discard: Int64, steps: Int64, since: ContinuousClock.Instant)?
    }

    let log: EventLog
    let tuning: DiscardTuning
    private let memory = Mutex(Memory())

    package init(log: EventLog, tuning: DiscardTuning = DiscardTuning()) {
        self.log = log
        self.tuning = tuning
    }

    /// Calls `body` with the next portion of the discard. `body` returns the discard as now stored, nil if another
    /// process has changed it, and whether the portion is still needed. After an error the portion is read again.
    func withPortion(
        of discard: EventDiscard, in store: any SQLStore,
        _ body: (inout DiscardPortion) throws -> (discard: EventDiscard?, needsPortion: Bool)
    ) throws {
        try memory.withLock { memory in
            var portion: DiscardPortion
            if let held = memory.portion, memory.known == discard {
                portion = held
            } else {
                memory.portion = nil
                portion = try store.read { session in
                    try DiscardPortion(
                        discard.selection, after: discard.sweptBlock, through: discard.lastBlock,
                        mostEvents: tuning.eventsInAPortion, in: session)
                }
            }
            // Released here, so that `body` changes the only reference without copying.
            memory.portion = nil
            memory.known = nil
            let (known, needsPortion) = try body(&portion)
            memory.known = known
            if known != nil, needsPortion { memory.portion = portion }
        }
    }

    /// Whether a discard has made no progress for ``DiscardTuning/takeoverTimeout``.
    func isAbandoned(_ discard: EventDiscard) -> Bool {
        memory.withLock { memory in
            if memory.known == discard { return true }
            if let seen = memory.seen, seen.discard == discard.id, seen.steps == discard.stepCount {
                return seen.since.duration(to: .now) >= tuning.takeoverTimeout
            }
            memory.seen = (discard.id, discard.stepCount, .now)
            return tuning.takeoverTimeout <= .zero
        }
    }
}

extension EventDiscarder {
    /// Begins a discard of the selected events among those now in the log; ``takeStep()`` carries it out.
    ///
    /// Pending events are folded and requested erasures completed first. Until the discard is finished, nothing is
    /// purged and no erasure begins.
    ///
    /// Throws ``BackendError/conflict(code:detail:)`` if a discard is already running, or a rebuild of the figures.
    @discardableResult
    package func begin(_ selection: DiscardSelection, by actor: Actor) throws -> EventDiscard {
        try log.finishErasures()
        while true {
            while try log.takeErasureStep(beginsNext: false) {}
            try log.settle()
            if let discard = try tryToBegin(selection, by: actor) { return discard }
        }
    }

    /// Returns nil while an erasure is running.
    private func tryToBegin(_ selection: DiscardSelection, by actor: Actor) throws -> EventDiscard? {
        let now = log.now()
        return try log.write { memory, transaction in
            guard try !EventLog.isDiscardUnderWay(in: transaction) else {
                throw BackendError.conflict(detail: "A discard is under way.")
            }
            guard try EventLog.beginRewriting(at: now, in: transaction) else {
                throw BackendError.conflict(detail: "The figures are being rebuilt.")
            }
            guard try ErasureSweep(in: transaction) == nil else { return nil }
            // All searched events are now in the figures or deferred, and their ids in a run, which keeps them after
            // the discard.
            try log.foldAll(in: transaction)
            if memory.state.indexedBlock < memory.state.lastBlock { try memory.writeRun(in: transaction) }
            try AuditLog.append(.figuresDiscard, after: selection.json.text, by: actor, at: now, in: transaction)
            return try EventDiscard.begin(
                selection, lastBlock: memory.state.lastBlock, by: actor, at: now, in: transaction)
        }
    }

    /// Returns the running discard, whichever process runs it.
    package func underWay() throws -> EventDiscard? {
        try log.store.read { try EventDiscard.underWay(in: $0) }
    }

    /// Returns a discard; nil if the number is unknown.
    package func discard(_ id: Int64) throws -> EventDiscard? {
        try log.store.read { try EventDiscard.find(id, in: $0) }
    }

    /// The all-time totals of the folded events.
    package func countedTotals() throws -> UserTotals { try log.store.read { try UserTotals.load(in: $0) } }

    /// Performs a part of the running discard in one transaction of some milliseconds. Returns whether work remains.
    /// Figures and log are consistent after each step, and any process may continue after an interruption.
    @discardableResult
    package func takeStep() throws -> Bool {
        guard let known = try underWay() else { return false }
        var (isFinished, hasRemovedUsers) = (false, false)
        do {
            try withPortion(of: known, in: log.store) { portion in
                // Then the next portion begins after this one.
                let isExhausted = portion.blocks.isEmpty
                let left = try log.write { memory, transaction -> EventDiscard? in
                    try transaction.enter(.figures)
                    // Another process may have made progress meanwhile.
                    guard var discard = try EventDiscard.underWay(in: transaction), discard == known else { return nil }
                    if isExhausted {
                        discard.sweptBlock = portion.through
                        if portion.through >= discard.lastBlock { try finish(&discard, in: transaction) }
                    } else {
                        // No fold is under way then, and users and figures are those of the same events.
                        try log.foldAll(in: transaction)
                        try portion.catchUp(in: transaction)
                        try takeOut(&portion, &discard, in: transaction)
                    }
                    discard.stepCount += 1
                    try discard.save(in: transaction)
                    return discard
                }
                isFinished = left?.finishedAt != nil
                hasRemovedUsers = left.map { $0.removedUserCount > 0 } ?? false
                return (left, !isExhausted)
            }
        } catch is StalePortion {
            // The portion is read again by the next step.
        }
        if isFinished, hasRemovedUsers { try joinUsers() }
        return !isFinished
    }

    /// Gives the room of the removed users back to the database. Harmless if it is interrupted.
    private func joinUsers() throws {
        var next: Int64? = .min
        while let firstKey = next {
            next = try log.write { _, transaction in
                try transaction.enter(.figures)
                try log.foldAll(in: transaction)
                try EventFoldState.noteChange(in: transaction)
                return try UserPages(in: transaction).join(from: firstKey, in: transaction)
            }
        }
    }

    /// Continues a discard whose process has ended; called periodically by servers. Returns whether work remains.
    package func takeAbandonedStep() throws -> Bool {
        guard let discard = try underWay(), isAbandoned(discard) else { return false }
        return try takeStep()
    }

    /// Rewrites the next blocks and subtracts the removed events from users and figures.
    private func takeOut(
        _ portion: inout DiscardPortion, _ discard: inout EventDiscard, in transaction: any SQLTransaction
    ) throws {
        let state = try EventFoldState.load(in: transaction).state
        var names = portion.names
        var fold = try DiscardFold(transaction, completeFrom: portion.completeFrom, now: log.now())
        var lost: [UserHash: [DiscardPortion.Event]] = [:]
        var deferred: [DeferredEvents.Content] = []
        var (budget, blocks) = (tuning.eventsInAStep, 0)
        while let next = portion.blocks.first, budget > 0, blocks < tuning.blocksInAStep {
            var segments: BlockSegments?
            let removed = try Self.rewrite(next.id, portion.selection, in: transaction) { event, reader in
                guard budget > 0, portion.users[event.userID] != nil else { return false }
                budget -= 1
                let name = try names.name(of: event.nameID, in: transaction)
                let item =
                    name == "subscription_added"
                    ? event.set.flatMap { AnalyticsEvent.catalogueItemID(in: reader.properties(ofSet: $0)) } : nil
                if state.isFolded(block: next.id, occurredAt: event.occurredAt) {
                    fold.remove(event, name: name, item: item)
                } else {
                    let known = segments ?? BlockSegments(of: reader, portion.versions)
                    segments = known
                    deferred.append(
                        DeferredEvents.Content(
                            occurredAt: event.occurredAt, user: event.userID, nameID: event.nameID, item: item,
                            segment: known.segment(of: event)))
                }
                lost[event.userID, default: []].append(
                    DiscardPortion.Event(
                        occurredAt: event.occurredAt, block: next.id, milestone: Milestone(eventName: name),
                        subscriptions: 0, isSelected: true, segment: .unknown))
                return true
            }
            guard removed > 0 else { throw StalePortion() }
            blocks += 1
            discard.eventCount += Int64(removed)
            discard.sweptBlock = removed >= next.selected ? next.id : next.id - 1
            portion.removeFromFirstBlock(removed)
        }
        try EventFoldState.noteChange(in: transaction)
        try DeferredEvents.remove(deferred, in: transaction)
        let changes = lost.compactMap { user, events -> DiscardFold.Change? in
            func counted() -> [DiscardPortion.Event] {
                (portion.users[user]?.events ?? []).filter {
                    state.isFolded(block: $0.block, occurredAt: $0.occurredAt)
                }
            }
            let before = counted()
            portion.remove(events, of: user)
            let after = counted()
            return after.count < before.count ? DiscardFold.Change(user: user, before: before, after: after) : nil
        }
        try fold.apply(changes)
        try fold.finish()
        discard.removedUserCount += Int64(fold.removed.count)
        discard.reducedUserCount += Int64(
            changes.count { !fold.removed.contains($0.user) && !$0.after.contains(where: \.isSelected) })
    }

    /// Rewrites a block without the selected events for which `isTaken` returns true, or deletes it if none remain.
    /// Returns the number of removed events.
    private static func rewrite(
        _ block: Int64, _ selection: DiscardSelection, in transaction: any SQLTransaction,
        unless isTaken: (EventBlockReader.Event, EventBlockReader) throws -> Bool
    ) throws -> Int {
        let bytes = try transaction.first("SELECT events FROM event_blocks WHERE id = ?", [.integer(block)]) {
            try $0.blob(0)
        }
        guard let bytes else { return 0 }
        let (left, removed) = try EventBlockReader.read(bytes, of: block) { reader in
            var filter = DiscardFilter(selection, reader)
            let left = try EventBlock(copying: reader) { try filter.selects($0) && isTaken($0, reader) }
            return (left, reader.count - left.count)
        }
        if left.count == 0 {
            try transaction.execute("DELETE FROM event_blocks WHERE id = ?", [.integer(block)])
        } else {
            try left.replace(block, in: transaction)
        }
        return removed
    }

    /// Refreshes the ranking and re-arms thresholds that are no longer reached, after all selected events are removed.
    private func finish(_ discard: inout EventDiscard, in transaction: any SQLTransaction) throws {
        let now = log.now()
        // The ranking counts every event whose moment has come.
        if discard.eventCount > 0 { try log.foldAll(at: now, in: transaction) }
        let totals = try UserTotals.load(in: transaction)
        if discard.eventCount > 0 {
            discard.rearmedThresholds = try AlertStore.rearm(above: totals.users, at: now, in: transaction)
            try RankingStore.refresh(at: now, in: transaction)
            try AppVersions.release(at: now, in: transaction)
        }
        discard.finishedAt = now
        try AuditLog.append(
            .figuresDiscarded, before: JSONValue.object(JSONObject(discard.totalsBefore.members)).text,
            after: JSONValue.object(
                JSONObject(
                    [
                        ("events", .number("\(discard.eventCount)")),
                        ("removed_users", .number("\(discard.removedUserCount)")),
                        ("reduced_users", .number("\(discard.reducedUserCount)")),
                        ("rearmed_thresholds", discard.thresholdList),
                    ] + totals.members)
            ).text,
            by: Actor(tokenID: nil, name: discard.actorName, requestID: nil), at: now, in: transaction)
    }
}

/// The log has changed since the portion was read.
private struct StalePortion: Error {}

extension UserTotals {
    /// For the audit log.
    var members: [(String, JSONValue)] {
        [
            ("total_users", .number("\(users)")), ("subscriptions_tracked", .number("\(subscriptions)")),
            ("premium_conversions", .number("\(conversions)")),
        ]
    }
}
