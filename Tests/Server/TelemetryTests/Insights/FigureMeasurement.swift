import BackendTestKit
import EventLog
import Foundation
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// Measures how long the reports take to read, without judging. Runs only on request, for example with
/// `SUBGUARD_MEASURE_EVENTS=10000,1000000 make test ARGS="--filter FigureMeasurement"`.
struct FigureMeasurement {
    private static let sizes = (ProcessInfo.processInfo.environment["SUBGUARD_MEASURE_EVENTS"] ?? "")
        .split(separator: ",").compactMap { Int($0) }

    @Test(.enabled(if: !sizes.isEmpty, "SUBGUARD_MEASURE_EVENTS is not set"))
    func readsOfStoresOfSeveralSizes() async throws {
        for size in Self.sizes { try await measure(events: size) }
    }

    /// Events of the last 40 days, ten per user, ordered by time within each batch of 5,000 users.
    private func measure(events: Int) async throws {
        let fixture = try BackendFixture()
        let ingest = EventIngest(log: EventLog(context: fixture.context))
        var generator = SeededRandom(seed: 7)
        let clock = ContinuousClock()
        let span: Int64 = 40 * 86_400_000
        var number: UInt64 = 0
        let filling = try await clock.measure {
            for start in stride(from: 0, to: events, by: 1000) {
                let batch = try (start..<min(start + 1000, events)).map { index in
                    number += 1
                    let name = EventRegistry.events[Int.random(in: 0..<10, using: &generator)].name
                    let at = fixture.now.adding(
                        milliseconds: Int64(index) * span / Int64(events) - span
                            + Int64.random(in: -3_600_000...0, using: &generator))
                    return try event(
                        number, name, user: Int.random(in: 0..<max(events / 10, 1), using: &generator), at: at)
                }
                try await ingest.store(batch)
            }
        }
        let insights = InsightStore(context: fixture.context)
        let bytes = try fixture.count("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        print("\(events) events, filled in \(filling), \(bytes) bytes")
        try report("dashboard", clock) { _ = try insights.dashboard() }
        try report("funnel", clock) { _ = try insights.funnel() }
        for dimension in FunnelDimension.allCases {
            for window in [nil, FunnelWindow(days: 7), FunnelWindow(days: 90)] {
                try report("funnel by \(dimension.rawValue) within \(window?.text ?? "any time")", clock) {
                    _ = try insights.funnel(within: window, by: dimension)
                }
            }
        }
        try report("cohorts", clock) { _ = try insights.cohorts() }
        let from = fixture.now.day.adding(days: 1 - SeriesRange.mostPeriods)
        for name in ["users", "active_28d", "events.app_opened"] {
            guard let figure = SeriesFigure(rawValue: name) else { continue }
            try report("series of \(name)", clock) { _ = try insights.series(of: figure, from: from) }
        }
        let verifying = try clock.measure {
            let verification = try FigureVerifier(context: fixture.context).verify()
            #expect(verification.agrees)
        }
        print("  verify \(verifying)")
    }

    /// The median and the maximum of 51 reads.
    private func report(_ name: String, _ clock: ContinuousClock, _ read: () throws -> Void) throws {
        let times = try (0..<51).map { _ in try clock.measure(read) }.sorted()
        print("  \(name) median \(times[25]) slowest \(times[50])")
    }
}
