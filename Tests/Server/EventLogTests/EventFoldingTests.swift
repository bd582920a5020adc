import BackendTestKit
import EventLog
import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import Telemetry
import TestKit
import Testing

/// Several processes with one log: which of them folds, and what each must read.
struct EventFoldingTests {
    private static let shape: EventIDIndexShape = {
        var shape = EventIDIndexShape()
        shape.runSize = 60
        shape.segmentSize = 90
        shape.fanOut = 3
        return shape
    }()

    private static let moment = "2026-11-20T09:00:00Z"

    /// Of some thousand users, so that a fold takes several steps.
    private func batch(_ numbers: Range<Int>) throws -> EventBatch {
        try EventBatch(
            numbers.map {
                try event(UInt64($0), EventRegistry.events[$0 % 10].name, user: $0 * 7919 % 5000, at: Self.moment)
            })
    }

    @Test func aFoldIsTakenOverFromAProcessThatDoesNotGoOn() throws {
        let fixture = try BackendFixture()
        let (one, other) = (EventLog(context: fixture.context), EventLog(context: try fixture.reopened().context))
        _ = try one.append([try batch(0..<2500)])
        #expect(try one.foldStep())
        // The other process has just seen the fold: its owner may be about to continue.
        #expect(try other.foldStep() == false)
        let partly = try FigureVerifier(context: fixture.context).verify()
        #expect(partly.differences == [] && partly.waitingCount > 0 && partly.eventCount > 0)
        // The owner makes no progress.
        try other.settle()
        let whole = try FigureVerifier(context: fixture.context).verify()
        #expect(whole.differences == [] && whole.eventCount == 2500 && whole.waitingCount == 0)
        // The first process resumes with its events still in memory.
        #expect(try one.foldStep() == false)
        _ = try one.append([try batch(2000..<4000)])
        try one.settle()
        #expect(try FigureVerifier(context: fixture.context).verify().eventCount == 4000)
        #expect(one.currentFigures.unfoldedEvents == 0)
        #expect(try fixture.count("SELECT users FROM figure_totals") == 4000)
    }

    /// Two processes alternate in the same fold, as if one was slow rather than gone.
    @Test func twoThatBothCountCountOnce() throws {
        let fixture = try BackendFixture()
        let logs = [EventLog(context: fixture.context), EventLog(context: try fixture.reopened().context)]
        for round in 0..<3 {
            _ = try logs[round % 2].append([try batch(round * 3000..<round * 3000 + 3000)])
            _ = try logs[0].foldStep()
            // Erasing folds all events, whichever process was folding.
            try logs[1].requestErasure(of: userHash(round))
            while try logs[1].takeErasureStep() {}
            _ = try logs[0].foldStep()
            #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
        }
        for log in logs { try log.settle() }
        let whole = try FigureVerifier(context: fixture.context).verify()
        #expect(whole.differences == [] && whole.eventCount == 9000)
    }

    /// Runs and merges of another process are read incrementally; an id known to any process is known to all.
    @Test func idsOfOthersAreKnownWhateverBecameOfTheirRuns() throws {
        let fixture = try BackendFixture()
        let contexts = [fixture.context, try fixture.reopened().context, try fixture.reopened(seed: 3).context]
        let logs = contexts.map { EventLog(context: $0, shape: Self.shape) }
        var random = SeededRandom(seed: 11)
        var sent = 0
        for round in 0..<150 {
            let log = logs[Int.random(in: 0..<3, using: &random)]
            let fresh = Int.random(in: 1...40, using: &random)
            let again = sent > 0 ? (0..<10).map { _ in Int.random(in: 0..<sent, using: &random) } : []
            let events = try (Array(sent..<sent + fresh) + Set(again)).map {
                try event(UInt64($0), user: $0 % 9, at: Self.moment)
            }
            let receipt = try log.append([try EventBatch(events)]).first
            #expect(receipt?.accepted == fresh && receipt?.duplicates == Set(again).count, "round \(round)")
            sent += fresh
            if Int.random(in: 0..<3, using: &random) == 0 { _ = try logs[round % 3].upkeepStep() }
        }
        while try logs[0].upkeepStep() {}
        for log in logs {
            let all = try (0..<sent).map { try event(UInt64($0), user: 1, at: Self.moment) }
            #expect(try log.append([try EventBatch(all)]).first?.accepted == 0)
        }
        try logs[2].settle()
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
        #expect(logs[1].currentFigures.runs == logs[0].currentFigures.runs)
    }
}
