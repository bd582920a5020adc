import EventLog
import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain

/// Everything derived from the raw events, computed the simple way: per user, from the sorted list of event times.
///
/// Takes about 8 bytes per event and 200 bytes per user.
struct RecomputedFigures {
    struct User {
        var marks = [UTCInstant?](repeating: nil, count: Milestone.allCases.count)
        /// In milliseconds; sorted only by ``absences``.
        var moments: [Int64] = []
        /// Those of the events at the first moment.
        var segment = UserSegment.unknown
        fileprivate var firstMoment = Int64.max

        var first: UTCInstant { UTCInstant(millisecondsSinceEpoch: moments.min() ?? 0) }
        var last: UTCInstant { UTCInstant(millisecondsSinceEpoch: moments.max() ?? 0) }

        /// In ascending order.
        func days(_ calendar: ReportCalendar) -> [Int64] {
            var days: [Int64] = []
            for moment in moments.sorted() {
                let day = calendar.number(of: UTCInstant(millisecondsSinceEpoch: moment))
                if days.last != day { days.append(day) }
            }
            return days
        }

        var absences: [Absence] {
            let sorted = moments.sorted()
            return zip(sorted, sorted.dropFirst()).compactMap { left, returned in
                Absence(
                    from: UTCInstant(millisecondsSinceEpoch: left),
                    until: UTCInstant(millisecondsSinceEpoch: returned))
            }
        }
    }

    private let versions: AppVersions
    let calendar: ReportCalendar
    private(set) var eventCount = 0
    private(set) var users: [UserHash: User] = [:]
    /// Subscriptions added minus removed, by millisecond.
    private(set) var subscriptions: [Int64: Int64] = [:]
    private(set) var items: [UUID: Int64] = [:]
    private(set) var eventDays: [EventDay: Int64] = [:]

    /// The events of a name on a day.
    struct EventDay: Hashable {
        let name: String
        let dayNumber: Int64
    }

    init(_ versions: AppVersions, _ calendar: ReportCalendar) {
        self.versions = versions
        self.calendar = calendar
    }

    mutating func add(_ event: LoggedEvent) {
        eventCount += 1
        users[event.userID, default: User()].add(event, versions)
        eventDays[EventDay(name: event.name, dayNumber: calendar.number(of: event.occurredAt)), default: 0] += 1
        switch event.name {
        case "subscription_added":
            subscriptions[event.occurredAt.millisecondsSinceEpoch, default: 0] += 1
            let item = event.properties.flatMap(AnalyticsEvent.catalogueItemID(in:))
            if let item { items[item, default: 0] += 1 }
        case "subscription_removed": subscriptions[event.occurredAt.millisecondsSinceEpoch, default: 0] -= 1
        default: break
        }
    }
}

extension RecomputedFigures.User {
    fileprivate mutating func add(_ event: LoggedEvent, _ versions: AppVersions) {
        let moment = event.occurredAt.millisecondsSinceEpoch
        if moment <= firstMoment {
            if moment < firstMoment { segment = .unknown }
            firstMoment = moment
            segment.join(UserSegment(of: event, versions))
        }
        moments.append(moment)
        guard let milestone = Milestone(eventName: event.name) else { return }
        marks[milestone.rawValue] = marks[milestone.rawValue].map { min($0, event.occurredAt) } ?? event.occurredAt
    }
}

extension UserSegment {
    /// Read from the properties as JSON.
    fileprivate init(of event: LoggedEvent, _ versions: AppVersions) {
        let object = event.properties.flatMap { try? JSONValue.parse($0) }?.objectValue
        self.init(
            platform: object?["platform"]?.stringValue.map { UserSegment.platform(named: $0.utf8) }
                ?? Self.unknownPlatform,
            version: object?["app_version"]?.stringValue.map { versions.code(of: $0, receivedAt: event.receivedAt) }
                ?? Self.unknownVersion)
    }
}

/// A difference between the stored figures and the raw events.
package struct FigureVerification: Sendable {
    package struct Difference: Sendable, Hashable {
        /// What differs, such as `2026-11-20: retention_d7` or `user 17: last_seen_at`.
        package let subject: String
        package let kept: String
        package let recomputed: String
    }

    /// Raw events that the figures were compared with.
    package var eventCount = 0
    /// Raw events that are not folded yet, and so are in no figure.
    package var waitingCount = 0
    package var userCount = 0
    /// The total number of differences.
    package internal(set) var differenceCount = 0
    /// The first differences, at most 100.
    package internal(set) var differences: [Difference] = []
    /// What could not be verified because raw events were purged, one sentence each.
    package internal(set) var unverified: [String] = []

    package var agrees: Bool { differenceCount == 0 }

    /// Bounds memory and output for a database with many differences.
    private static let maximumDifferences = 100

    mutating func compare<Value: Equatable>(
        _ subject: @autoclosure () -> String, kept: Value, recomputed: Value, _ text: (Value) -> String
    ) {
        guard kept != recomputed else { return }
        differenceCount += 1
        guard differences.count < Self.maximumDifferences else { return }
        differences.append(Difference(subject: subject(), kept: text(kept), recomputed: text(recomputed)))
    }

    mutating func compare(_ subject: @autoclosure () -> String, kept: Int64, recomputed: Int64) {
        compare(subject(), kept: kept, recomputed: recomputed) { "\($0)" }
    }
}
