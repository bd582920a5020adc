package import EventLog
import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// Computes all figures again from the raw events, beside running servers, and puts them in place of the stored ones in
/// one transaction. docs/events.md explains how.
package final class FigureRebuilder: Sendable {
    private let context: BackendContext
    private let log: EventLog
    private let tuning: RebuildTuning

    /// - Parameter log: one that fires no thresholds, for a command that does not know the channels.
    package init(context: BackendContext, log: EventLog, tuning: RebuildTuning = RebuildTuning()) {
        self.context = context
        self.log = log
        self.tuning = tuning
    }

    /// Rebuilds the figures of all events in the log when it is called; servers count later ones afterwards, as always.
    ///
    /// Until it ends, nothing is purged, joined or discarded, and no erasure begins. After an error the figures are as
    /// they were.
    ///
    /// Throws ``BackendError/conflict(code:detail:)`` if raw events were purged, or while a discard or another rebuild
    /// is under way; ``RebuildInterrupted``, after which it may be begun again.
    ///
    /// - Parameters:
    ///   - zone: cuts all days in this zone from then on; nil keeps the stored calendar.
    ///   - report: called after each part of the log, and at last when the figures are published.
    @discardableResult
    package func rebuild(
        by actor: Actor, in zone: ReportCalendar? = nil, _ report: (RebuildProgress) throws -> Void = { _ in }
    ) throws -> FigureRebuild.Published {
        let rebuild = try begin(by: actor)
        return try run(rebuild, report) {
            (try zone ?? context.store.read { try ReportCalendar.load(in: $0) }, nil)
        }
    }

    /// Cuts the days anew that the log has whole, where raw events were purged: from the second day after them on, the
    /// zone holds. Nothing is counted until it ends. Otherwise like ``rebuild(by:in:_:)``. Returns the first day in the
    /// zone; nil if all days are in it, as before an earlier change.
    func recount(
        by actor: Actor, in zone: ZoneOffsets, _ report: (RebuildProgress) throws -> Void
    ) throws -> CalendarDay? {
        let rebuild = try begin(by: actor, recounting: true)
        var firstDay: CalendarDay?
        try run(rebuild, report) {
            try context.store.read { session in
                let calendar = try ReportCalendar.load(in: session)
                let completeFrom = try EventLogState.load(in: session).completeFrom ?? .earliest
                let changed = calendar.changing(to: zone, after: completeFrom)
                firstDay = changed.firstDay
                let recount = Recount(
                    calendar: calendar, state: try EventFoldState.load(in: session).state,
                    firstDay: calendar.number(of: completeFrom) + 1)
                return (changed, recount)
            }
        }
        return firstDay
    }

    @discardableResult
    private func run(
        _ rebuild: FigureRebuild, _ report: (RebuildProgress) throws -> Void,
        _ plan: () throws -> (ReportCalendar, Recount?)
    ) throws -> FigureRebuild.Published {
        let published: FigureRebuild.Published
        do {
            let events = try context.store.read { try EventLogReader.count(through: rebuild.lastBlock, in: $0) }
            let (calendar, recount) = try plan()
            let computation = RebuildComputation(
                rebuild, eventCount: events, calendar, recount: recount, context: context, tuning: tuning)
            try computation.run(report)
            published = try publish(computation, calendar, recount, of: rebuild)
        } catch {
            // If that fails too, a server does it.
            try? giveUp(rebuild)
            throw error
        }
        try report(RebuildProgress(eventCount: Int(published.eventCount), share: 1, isPublished: true))
        try log.settle()
        while try clearStep(rebuild, isOwn: true) {}
        try finish(rebuild)
        return published
    }

    /// Clears up after a rebuild whose process has ended; called periodically by servers. Returns whether work remains.
    package func takeAbandonedStep() throws -> Bool {
        guard let rebuild = try context.store.read({ try FigureRebuild.load(in: $0) }),
            !rebuild.isSeenRecently(at: context.now())
        else { return false }
        if try clearStep(rebuild, isOwn: false) { return true }
        try finish(rebuild)
        return false
    }
}

extension FigureRebuilder {
    /// Writes the row that keeps others from changing the log.
    package func begin(by actor: Actor, recounting: Bool = false) throws -> FigureRebuild {
        try log.finishErasures()
        while true {
            while try takeAbandonedStep() {}
            while try log.takeErasureStep(beginsNext: false) {}
            if recounting { try log.settle() }
            // What is counted now is compared with what is computed. Figures may be too damaged to be counted on.
            let mark = recounting ? nil : try? log.settleForReaders()
            if let rebuild = try tryToBegin(by: actor, recounting: recounting, settled: mark) { return rebuild }
        }
    }

    /// Returns nil while an erasure is running, or a rebuild whose process has ended is not cleared up; for a recount,
    /// while a fold is under way.
    ///
    /// - Parameter settled: what the figures should contain.
    private func tryToBegin(
        by actor: Actor, recounting: Bool, settled: EventLogMark?
    ) throws -> FigureRebuild? {
        try context.write(by: actor) { transaction in
            let now = transaction.now
            try transaction.enter(.figures)
            let state = try EventLogState.load(in: transaction)
            if let completeFrom = state.completeFrom, !recounting {
                throw BackendError.conflict(
                    detail: "Raw events before \(completeFrom.rfc3339) have been purged. "
                        + "Their figures can only be kept, not rebuilt; nothing was changed.")
            }
            guard try !EventLog.isDiscardUnderWay(in: transaction) else {
                throw BackendError.conflict(detail: "A discard is under way.")
            }
            if let other = try FigureRebuild.load(in: transaction) {
                guard !other.isSeenRecently(at: now) else {
                    throw BackendError.conflict(detail: "A rebuild is under way since \(other.begunAt.rfc3339).")
                }
                return nil
            }
            guard try !ErasureSweep.isUnderWay(in: transaction) else { return nil }
            let folded = try EventFoldState.load(in: transaction).state
            if recounting, folded.isFolding { return nil }
            try AppVersions.addUncounted(in: transaction)
            // The block up to which the stored totals count; later ones are counted afterwards, as always.
            let isCounted = recounting || settled.map(folded.contains) ?? false
            let lastBlock = isCounted ? folded.foldedBlock : state.lastBlock
            let none = UserTotals(users: 0, conversions: 0, subscriptions: 0)
            let totals = (try? UserTotals.load(in: transaction)) ?? none
            let rebuild = try FigureRebuild.insert(
                context.makeID(), by: actor, lastBlock: lastBlock, holdsCounting: recounting, totals: totals, at: now,
                in: transaction)
            try transaction.audit(
                .figuresRebuild, after: JSONValue.object(JSONObject([("last_block", .number("\(lastBlock)"))])).text)
            return rebuild
        }
    }

    /// Replaces the figures. A fold under way is dropped, and begins again with the blocks after the rebuilt ones. A
    /// recount changes them instead.
    private func publish(
        _ computation: RebuildComputation, _ calendar: ReportCalendar, _ recount: Recount?, of rebuild: FigureRebuild
    ) throws -> FigureRebuild.Published {
        let (figures, deferred) = try computation.result()
        return try context.store.write(in: .figures) { transaction in
            let now = context.now()
            try rebuild.touch(at: now, in: transaction)
            if let recount, try EventFoldState.load(in: transaction).state != recount.state {
                // Another process that could not wait has counted more, such as the ranking.
                throw RebuildInterrupted()
            }
            try EventFoldState.noteChange(in: transaction)
            try RebuiltTables.swap(context.store.dialect, moments: recount == nil, in: transaction)
            if recount == nil {
                try FigureFold.clear(in: transaction)
                try FigureFold.removeStaged(in: transaction)
            }
            let former = try ReportCalendar.load(in: transaction)
            if calendar != former {
                try calendar.save(in: transaction)
                let actor = Actor(tokenID: nil, name: rebuild.actorName, requestID: nil)
                try calendar.audit(from: former, by: actor, at: now, in: transaction)
            }
            try figures.save(in: transaction)
            if recount == nil {
                try EventFoldState.replace(
                    foldedBlock: rebuild.lastBlock, countedUntil: rebuild.begunAt, deferred: deferred, in: transaction)
            } else {
                try figures.removeEmptyRows(in: transaction)
            }
            // It may count what was wrong. The next one is taken when everything is counted.
            try RankingStore.forget(in: transaction)
            let after = try UserTotals.load(in: transaction)
            let published = FigureRebuild.Published(
                eventCount: Int64(computation.eventCount),
                totalsBefore: rebuild.totalsBefore, totalsAfter: after)
            try rebuild.publish(published, at: now, in: transaction)
            return published
        }
    }

    private func giveUp(_ rebuild: FigureRebuild) throws {
        try context.store.write(in: .figures) { try rebuild.end(at: context.now(), in: $0) }
        while try clearStep(rebuild, isOwn: true) {}
        try finish(rebuild)
    }

    /// Removes some of what is left of a rebuild that has ended, or ends one whose process is gone. Returns whether
    /// work remains.
    private func clearStep(_ rebuild: FigureRebuild, isOwn: Bool) throws -> Bool {
        try context.store.write(in: .figures) { transaction in
            let now = context.now()
            // Another process may have done this, or begun the next rebuild.
            guard let current = try FigureRebuild.load(in: transaction), current.run == rebuild.run else {
                return false
            }
            if isOwn {
                try current.touchClearing(at: now, in: transaction)
            } else {
                guard !current.isSeenRecently(at: now) else { return false }
                try current.end(at: now, in: transaction)
            }
            return try RebuiltTables.clearStep(rows: tuning.pagesInAStep, in: transaction)
        }
    }

    /// Takes the ranking and writes the audit row of published figures, and removes the row of the rebuild.
    private func finish(_ rebuild: FigureRebuild) throws {
        // Nothing is counted for one that has published nothing; a damaged log would prevent that.
        let isFinished = try context.store.write(in: .figures) { transaction in
            guard let current = try FigureRebuild.load(in: transaction), current.run == rebuild.run else { return true }
            guard current.endedAt != nil, current.published == nil else { return false }
            try transaction.execute("DELETE FROM figure_rebuilds WHERE id = 1")
            return true
        }
        guard !isFinished else { return }
        try log.write { _, transaction in
            try transaction.enter(.figures)
            let now = context.now()
            guard let current = try FigureRebuild.load(in: transaction), current.run == rebuild.run,
                let published = current.published
            else { return }
            try log.foldAll(at: now, in: transaction)
            try RankingStore.refresh(at: now, in: transaction)
            let (before, after) = (published.totalsBefore, published.totalsAfter)
            try AuditLog.append(
                .figuresRebuilt, before: JSONValue.object(JSONObject(before.members)).text,
                after: JSONValue.object(
                    JSONObject([("events", .number("\(published.eventCount)"))] + after.members)
                ).text,
                by: Actor(tokenID: nil, name: current.actorName, requestID: nil), at: now, in: transaction)
            try transaction.execute("DELETE FROM figure_rebuilds WHERE id = 1")
        }
    }
}
