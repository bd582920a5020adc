import SubGuardDomain

/// Turns days of the history into moments. A day is 24 hours, counted back from the end of the history, so that its last
/// day is over when the history ends.
struct DayClock: Sendable {
    let endsAt: UTCInstant

    /// A moment within the day, at an hour at which people use their phones.
    func moment(daysBeforeEnd: Int, _ numbers: inout SeededNumbers) -> UTCInstant {
        let hour = numbers.pick(Self.hours)
        let millisecondOfDay = Int64(hour) * 3_600_000 + Int64(numbers.integer(in: 0...3_599_999))
        let start = endsAt.adding(days: -daysBeforeEnd)
        let moment = UTCInstant(startOf: start.day).adding(milliseconds: millisecondOfDay)
        return moment > start ? moment : moment.adding(days: 1)
    }

    /// How many days earlier it would have happened, had it not been put off on a weekend: 0 for most.
    func weekendShift(_ moment: UTCInstant, probability: Double, _ numbers: inout SeededNumbers) -> Int {
        let (isMoved, weekdayDistance) = (numbers.chance(probability), numbers.integer(in: 0...2))
        let weekday = moment.day.weekday
        return weekday >= 6 && isMoved ? weekday - 5 + weekdayDistance : 0
    }

    /// UTC, for people most of whom live an hour or two east of it.
    private static let hours: [(choice: Int, weight: Double)] = zip(
        0..<24, [2, 1, 1, 1, 2, 6, 14, 18, 14, 11, 12, 16, 15, 12, 11, 12, 15, 19, 22, 24, 20, 14, 8, 4]
    ).map { ($0, $1) }
}
