package import SubGuardDomain

/// Days in UTC, both ends included; nil is unbounded.
package struct DayRange: Sendable, Hashable {
    package var from: CalendarDay?
    package var to: CalendarDay?

    package init(from: CalendarDay? = nil, to: CalendarDay? = nil) {
        self.from = from
        self.to = to
    }

    /// The numbers of the first and the last day.
    package var numbers: (first: Int64, last: Int64) {
        (from.map { Int64($0.daysSinceEpoch) } ?? .min, to.map { Int64($0.daysSinceEpoch) } ?? .max)
    }
}
