import BackendTestKit
import EventLog
import SubGuardDomain
import Telemetry
import TestKit

/// A random history, made batch by batch: late, duplicated, out of order, at the edges of windows, weeks and years.
struct FigureHistory {
    private var generator: SeededRandom
    private(set) var now: UTCInstant
    /// By number: the first accepted event with each id.
    private var kept: [Int: AnalyticsEvent] = [:]
    /// In the order in which they arrived.
    private(set) var versions: [String] = []

    private let calendar: ReportCalendar

    init(seed: UInt64, now: UTCInstant, calendar: ReportCalendar = .utc) {
        self.calendar = calendar
        generator = SeededRandom(seed: seed)
        self.now = now
    }

    var events: [AnalyticsEvent] { Array(kept.values) }

    /// Advances the clock by a random time: a millisecond, minutes, days; occasionally the clock is set back a little.
    mutating func passTime() {
        let steps: [ClosedRange<Int64>] = [
            1...1, 1...59_999, 60_000...3_600_000, 1...(3 * 86_400_000), 0...(9 * 86_400_000), -3_600_000 ... -1,
        ]
        let range = steps[Int.random(in: 0..<steps.count, using: &generator)]
        now = now.adding(milliseconds: Int64.random(in: range, using: &generator))
    }

    mutating func passTime(to moment: UTCInstant) { now = moment }

    mutating func batch(users: Int = 25, ids: Int = 2000) throws -> [AnalyticsEvent] {
        var events: [AnalyticsEvent] = []
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            let number = Int.random(in: 0..<ids, using: &generator)
            let definition = EventRegistry.events[Int.random(in: 0..<EventRegistry.events.count, using: &generator)]
            let user = Int.random(in: 0..<users, using: &generator)
            let platform = [nil, "ios", "IPadOS", "android", "amiga"].randomElement(using: &generator) ?? nil
            let version = [nil, "1.0", "1.1", "2.0.1", "1.0-beta"].randomElement(using: &generator) ?? nil
            let made = try event(
                UInt64(number), definition.name, user: user, at: moment(),
                properties: Self.properties(platform: platform, version: version))
            events.append(made)
            if kept[number] == nil {
                kept[number] = made
                if let version, version != "1.0-beta", !versions.contains(version) { versions.append(version) }
            }
            // A duplicate in the same batch.
            if Int.random(in: 0..<10, using: &generator) == 0 { events.append(made) }
        }
        return events
    }

    private static func properties(platform: String?, version: String?) -> String? {
        let members = [version.map { #""app_version":"\#($0)""# }, platform.map { #""platform":"\#($0)""# }]
            .compactMap(\.self)
        return members.isEmpty ? nil : "{\(members.joined(separator: ","))}"
    }

    /// Up to 24 hours ahead and 400 days behind, as the ingest accepts.
    private mutating func moment() -> UTCInstant {
        let edgeDays = [1, 0, -1, -7, -14, -21, -30, -37, -40, -44, -400]
        let candidate: UTCInstant
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            let edge = now.adding(days: edgeDays[Int.random(in: 0..<edgeDays.count, using: &generator)])
            candidate = edge.adding(milliseconds: Int64.random(in: -1...1, using: &generator))
        case 1:
            // Midnight of a Monday, which is sometimes New Year's Day or 29 February.
            let monday = now.adding(days: -7 * Int.random(in: 0...8, using: &generator)).day.startOfISOWeek
            candidate = calendar.start(of: Int64(monday.daysSinceEpoch)).adding(
                milliseconds: Int64.random(in: -1...1, using: &generator))
        case 2: candidate = now.adding(milliseconds: Int64.random(in: -120_000...120_000, using: &generator))
        case 3: candidate = now.adding(milliseconds: Int64.random(in: -400 * 86_400_000...0, using: &generator))
        default:
            candidate = now.adding(milliseconds: Int64.random(in: -45 * 86_400_000...86_400_000, using: &generator))
        }
        return max(min(candidate, now.adding(days: 1)), now.adding(days: -400))
    }
}
