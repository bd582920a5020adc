import EventLog
package import Foundation
package import SubGuardDomain

/// Which raw events the event explorer counts. Nil stands for all.
package struct EventSelection: Sendable, Hashable {
    /// A name of the registry.
    package var event: String?
    /// A catalogue item and those that were merged into it.
    package var items: Set<UUID>?
    /// A name of ``platforms``.
    package var platform: String?
    /// Days in UTC, by the moment at which an event occurred.
    package var range: SeriesRange

    package init(range: SeriesRange) { self.range = range }

    /// The platforms that can be chosen: those that figures tell apart, the rest of them, and none.
    package static let platforms = UserSegment.platforms + ["other", "none"]
    /// The value of ``platform`` for events that name none.
    package static let noPlatform = "none"
}

/// The number of selected events on each day.
package struct EventCounts: Sendable {
    package enum Source: String, Sendable {
        /// The raw events in the database.
        case log
        /// The event sink.
        case history
    }

    package let source: Source
    /// Every day of the range, in order.
    package let days: [Day]
    /// Events that occurred before this moment may be missing, because raw events are kept for a time. Nil if none were
    /// removed.
    package let completeFrom: UTCInstant?
    /// Every event that was accepted before this moment is counted.
    package let completeUntil: UTCInstant

    package struct Day: Sendable, Hashable {
        package let on: CalendarDay
        package let events: Int64
    }

    /// - Parameter counts: the number of events by the day, in days since 1970-01-01.
    package init(
        _ counts: [Int64: Int64], of range: SeriesRange, from source: Source, completeFrom: UTCInstant?,
        completeUntil: UTCInstant
    ) {
        self.source = source
        self.completeFrom = completeFrom
        self.completeUntil = completeUntil
        days = (0..<range.count).map { index in
            let day = range.from.adding(days: index)
            return Day(on: day, events: counts[Int64(day.daysSinceEpoch)] ?? 0)
        }
    }

    /// The sum of all days; the largest number for one beyond it, which only a broken event sink reports.
    package var total: Int64 {
        days.reduce(0) { sum, day in
            let (next, overflows) = sum.addingReportingOverflow(day.events)
            return overflows ? .max : next
        }
    }
}
