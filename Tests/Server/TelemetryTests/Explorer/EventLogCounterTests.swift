import BackendTestKit
import EventLog
import Foundation
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// Raw events of the log by day.
struct EventLogCounterTests {
    private let fixture: BackendFixture
    private let item = makeID(7)

    init() throws {
        fixture = try BackendFixture()
        let log = EventLog(context: fixture.context)
        let named = #"{"catalogue_item_id":"\#(makeID(7).uuidString)","platform":"iOS"}"#
        _ = try log.append([
            EventBatch([
                try event(1, at: "2026-11-18T23:59:59.999Z"), try event(2, at: "2026-11-19T00:00:00Z"),
                try event(3, "subscription_added", at: "2026-11-19T12:00:00Z", properties: named),
                try event(4, "subscription_removed", at: "2026-11-20T12:00:00Z", properties: named),
                // Dated ahead, and of a platform that has no name.
                try event(5, at: "2026-11-20T23:00:00Z", properties: #"{"platform":"toaster"}"#),
            ])
        ])
        _ = try log.append([EventBatch([try event(6, at: "2026-11-19T01:00:00Z")])])
        try log.settle()
    }

    private func counts(_ change: (inout EventSelection) -> Void = { _ in }) throws -> [Int64] {
        let range = try SeriesRange(
            from: try day("2026-11-18"), to: try day("2026-11-20"), step: .day, today: try day("2026-11-20"))
        var selection = EventSelection(range: range)
        change(&selection)
        let counted = try EventLogCounter(context: fixture.context).count(selection, within: .seconds(60))
        let counts = try #require(counted)
        #expect(counts.source == .log && counts.completeUntil == fixture.now && counts.completeFrom == nil)
        return counts.days.map(\.events)
    }

    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(iso: text)) }

    /// An event counts once its moment has come.
    @Test func eventsDatedAheadWait() throws {
        #expect(try counts() == [1, 3, 0])
        #expect(try counts { $0.platform = "other" } == [0, 0, 0])
        fixture.now = try instant("2026-11-20T12:00:00Z")
        #expect(try counts() == [1, 3, 1])
        fixture.now = try instant("2026-11-20T22:59:59.999Z")
        #expect(try counts() == [1, 3, 1])
        fixture.now = try instant("2026-11-20T23:00:00Z")
        #expect(try counts() == [1, 3, 2])
    }

    @Test func countsByDayAndFilter() throws {
        fixture.now = try instant("2026-11-20T23:30:00Z")
        #expect(try counts() == [1, 3, 2])
        #expect(try counts { $0.event = "app_opened" } == [1, 2, 1])
        #expect(try counts { $0.items = [item] } == [0, 1, 1])
        #expect(try counts { $0.items = [makeID(8)] } == [0, 0, 0])
        #expect(try counts { $0.platform = "ios" } == [0, 1, 1])
        #expect(try counts { $0.platform = "other" } == [0, 0, 1])
        #expect(try counts { $0.platform = "none" } == [1, 2, 0])
        #expect(
            try counts {
                $0.event = "subscription_added"
                $0.items = [item]
                $0.platform = "ios"
            } == [0, 1, 0])
    }

    /// The largest counts that the event sink may report, on each day of the longest range.
    @Test func sumsUpWhateverTheSinkReports() throws {
        let last = try day("2026-11-20")
        let first = last.adding(days: 1 - SeriesRange.mostPeriods)
        let range = try SeriesRange(from: first, to: last, step: .day, today: last)
        let counts = Dictionary(
            uniqueKeysWithValues: (first.daysSinceEpoch...last.daysSinceEpoch).map { (Int64($0), Int64(1) << 53) })
        let counted = EventCounts(
            counts, of: range, from: .history, completeFrom: nil, completeUntil: fixture.now)
        #expect(counted.days.count == SeriesRange.mostPeriods && counted.days.allSatisfy { $0.events == 1 << 53 })
        #expect(counted.total == .max)
    }

    @Test func stopsAtItsLimitOfTime() throws {
        let today = try day("2026-11-20")
        let selection = EventSelection(range: try SeriesRange(from: today, to: today, step: .day, today: today))
        #expect(try EventLogCounter(context: fixture.context).count(selection, within: .zero) == nil)
    }
}
