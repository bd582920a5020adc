import BackendTestKit
import EventLog
import SQLDatabase
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// Discards from random histories: the result is the same as if the discarded events had never been received.
struct DiscardHistoryTests {
    private static let starts = [
        "2024-02-29T12:34:56.789Z", "2024-03-01T00:00:00Z", "2026-01-01T00:00:00Z", "2026-11-20T10:00:00Z",
    ]

    private static let tuning: DiscardTuning = {
        var tuning = DiscardTuning()
        tuning.eventsInAPortion = 60
        tuning.eventsInAStep = 17
        tuning.blocksInAStep = 3
        return tuning
    }()

    private func narrowed(_ seed: UInt64, _ selection: DiscardSelection) -> DiscardSelection {
        var selection = selection
        switch seed % 8 {
        case 0: selection.platforms = ["web"]
        case 1: selection.isOfOneBatchOnly = true
        case 2: selection.isFirstSeenInWindowOnly = true
        case 3: selection.isUnsignedOnly = true
        case 4:
            selection.appVersions = ["0", "9.9, \"x\""]
            selection.isFirstSeenInWindowOnly = true
        case 5:
            selection.platforms = ["web", "tv"]
            selection.isOfOneBatchOnly = true
        case 6: break
        default:
            selection.platforms = ["web"]
            selection.isUnsignedOnly = true
            selection.isOfOneBatchOnly = true
            selection.isFirstSeenInWindowOnly = true
        }
        return selection
    }

    @Test(arguments: SeededRandom.seeds(2, of: 16))
    func leavesWhatTheOtherEventsAloneWouldHaveLeft(seed: UInt64) throws {
        let fixture = try BackendFixture(now: Self.starts[Int(seed) % Self.starts.count])
        let other = try fixture.reopened(seed: seed)
        let log = EventLog(context: fixture.context)
        let discarder = EventDiscarder(log: log, tuning: Self.tuning)
        let otherLog = EventLog(context: other.context)
        let otherDiscarder = EventDiscarder(log: otherLog, tuning: Self.tuning)
        var history = ForgedHistory(seed: seed, now: fixture.now)
        var random = SeededRandom(seed: seed)
        var bounds: [UTCInstant] = []
        func append() throws {
            // Some commits hold several batches.
            let group = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
                try history.batch(isForged: Bool.random(using: &random))
            }
            _ = try (Bool.random(using: &random) ? log : otherLog).append(group.map(\.eventBatch))
        }
        for round in 0..<40 {
            try append()
            if Bool.random(using: &random) { try log.foldStep() }
            history.passTime()
            fixture.now = history.now
            other.now = history.now
            if round == 10 || round == 33 { bounds.append(history.now) }
        }
        let selection = narrowed(seed, DiscardSelection(receivedFrom: bounds[0], receivedBefore: bounds[1]))
        try log.settle()
        let before = try fixture.keptFigures()
        let preview = try discarder.preview(selection)
        #expect(try fixture.keptFigures() == before)
        let expected = history.selected(selection)
        #expect(preview.eventCount == Int64(expected.count))
        let discard = try discarder.begin(selection, by: .editor)
        #expect(discard.totalsBefore == preview.totalsBefore)
        // Each step runs in one of two processes, or in a new one, while honest events arrive.
        var steps = 0
        var isMoreToDo = true
        while isMoreToDo {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let fresh = EventDiscarder(log: EventLog(context: other.context), tuning: Self.tuning)
                isMoreToDo = try fresh.takeStep()
            case 1: isMoreToDo = try otherDiscarder.takeStep()
            default: isMoreToDo = try discarder.takeStep()
            }
            steps += 1
            #expect(try FigureVerifier(context: fixture.context).verify().differences == [], "step \(steps)")
            if steps.isMultiple(of: 3), steps < 60 {
                try append()
                if Bool.random(using: &random) { try otherLog.foldStep() }
            }
        }
        try log.settle()
        let left = try fixture.events()
        #expect(Set(left.map(\.id)).isDisjoint(with: expected))
        #expect(left.count == history.batches.reduce(0) { $0 + $1.events.count } - expected.count)
        let done = try #require(try discarder.discard(discard.id))
        #expect(done.eventCount == Int64(expected.count) && done.finishedAt != nil)
        // The same batches without the discarded events.
        let fresh = try BackendFixture(now: fixture.now.rfc3339)
        let freshLog = EventLog(context: fresh.context)
        for batch in history.batches {
            let events = batch.events.filter { !expected.contains($0.id) }
            guard !events.isEmpty else { continue }
            _ = try freshLog.append([
                EventBatch(events: events, rejected: [], receivedAt: batch.receivedAt, byteCount: 0)
            ])
        }
        try freshLog.settle()
        #expect(try fixture.keptFigures() == fresh.keptFigures())
        for days in [0, 1, 5, 8, 30] {
            fixture.now = history.now.adding(days: days)
            fresh.now = fixture.now
            let insights = [fixture, fresh].map { InsightStore(context: $0.context) }
            #expect(try "\(insights[0].dashboard())" == "\(insights[1].dashboard())")
            #expect(try "\(insights[0].cohorts())" == "\(insights[1].cohorts())")
            #expect(try insights[0].funnel() == insights[1].funnel())
            for dimension in FunnelDimension.allCases {
                let funnels = try insights.map { try $0.funnel(within: FunnelWindow(days: 7), by: dimension) }
                #expect(funnels[0] == funnels[1])
            }
        }
        // Discarded events that are resent are duplicates.
        for batch in history.batches {
            #expect(try log.append([batch.eventBatch]).first?.accepted == 0)
        }
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
    }

    /// The first part of the log is purged: honest users keep what is known only from the figures.
    @Test(arguments: SeededRandom.seeds(4, of: 12))
    func keepsWhatIsKnownOfPurgedEvents(seed: UInt64) throws {
        let fixture = try BackendFixture(now: Self.starts[Int(seed) % Self.starts.count])
        let log = EventLog(context: fixture.context)
        let discarder = EventDiscarder(log: log, tuning: Self.tuning)
        var history = ForgedHistory(seed: seed, now: fixture.now)
        let mixes = seed.isMultiple(of: 3)
        history.mixesUsers = mixes
        var bounds: [UTCInstant] = []
        for round in 0..<45 {
            let isForged = round >= 15 && round.isMultiple(of: 2)
            _ = try log.append([try history.batch(isForged: isForged).eventBatch])
            history.passTime()
            fixture.now = history.now
            if round == 10 || round == 14 || round == 40 { bounds.append(history.now) }
        }
        #expect(try log.purge(before: bounds[0]) > 0)
        var selection = DiscardSelection(receivedFrom: bounds[1], receivedBefore: bounds[2])
        if seed.isMultiple(of: 2) { selection.platforms = ["web"] } else { selection.appVersions = ["9.9, \"x\""] }
        let preview = try discarder.preview(selection)
        let discard = try discarder.begin(selection, by: .editor)
        while try discarder.takeStep() {
            #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
        }
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
        let done = try #require(try discarder.discard(discard.id))
        #expect(done.eventCount == preview.eventCount && done.removedUserCount == preview.removedUserCount)
        #expect(done.reducedUserCount == preview.reducedUserCount)
        #expect(try discarder.countedTotals() == preview.totalsAfter)
        let expected = history.selected(selection)
        #expect(done.eventCount == Int64(expected.count))
        guard !mixes else { return }
        let fresh = try BackendFixture(now: fixture.now.rfc3339)
        let freshLog = EventLog(context: fresh.context)
        for batch in history.batches {
            let events = batch.events.filter { !expected.contains($0.id) }
            _ = try freshLog.append([
                EventBatch(events: events, rejected: [], receivedAt: batch.receivedAt, byteCount: 0)
            ])
        }
        try freshLog.settle()
        #expect(try fixture.keptFigures() == fresh.keptFigures())
        let insights = [fixture, fresh].map { InsightStore(context: $0.context) }
        #expect(try "\(insights[0].dashboard())" == "\(insights[1].dashboard())")
        // Users whose first events are purged are not discarded.
        selection.receivedBefore = fixture.now.adding(days: 1)
        selection.platforms = []
        selection.appVersions = []
        selection.isFirstSeenInWindowOnly = true
        let old = Set(history.batches.prefix(11).flatMap(\.events).map(\.userID))
        try discarder.begin(selection, by: .editor)
        while try discarder.takeStep() {}
        let left = Set(try fixture.events().map(\.userID))
        #expect(left.isSubset(of: Set(history.batches.prefix(15).flatMap(\.events).map(\.userID))))
        #expect(old.isSubset(of: try fixture.storedUsers().map(\.hash)))
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
    }
}
