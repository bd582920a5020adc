/// The billing days of a cycle, counted from an anchor.
///
/// Each day is computed from the anchor, never from the previous day: 31 January is followed by 28 February and 31
/// March, and 29 February returns in the next leap year.
public struct BillingSchedule: Sendable, Hashable {
    /// The first billing day.
    public var anchor: CalendarDay
    /// The distance between two billing days.
    public var cycle: BillingCycle

    /// Takes both as they are: any day and any cycle make a schedule.
    public init(anchor: CalendarDay, cycle: BillingCycle) {
        self.anchor = anchor
        self.cycle = cycle
    }

    /// The billing day with this index; the anchor has index 0. Nil for a negative index, after the last supported
    /// year, and for all but the first day of a lifetime purchase.
    public func day(at index: Int) -> CalendarDay? {
        guard index >= 0 else { return nil }
        if index == 0 { return anchor }
        switch cycle.step {
        case .once: return nil
        case .days(let count):
            let (offset, overflow) = index.multipliedReportingOverflow(by: count)
            guard !overflow, offset <= anchor.days(until: .latest) else { return nil }
            return anchor.adding(days: offset)
        case .months(let count):
            let (offset, overflow) = index.multipliedReportingOverflow(by: count)
            let (year, month, day) = anchor.components
            guard !overflow, offset <= (9999 - year) * 12 + 12 - month else { return nil }
            return anchor.adding(months: offset, anchorDay: day)
        }
    }

    /// The index of the first billing day on or after a day; nil when there is none.
    public func index(onOrAfter day: CalendarDay) -> Int? {
        guard day > anchor else { return 0 }
        switch cycle.step {
        case .once: return nil
        case .days(let count):
            let index = (anchor.days(until: day) + count - 1) / count
            return self.day(at: index) == nil ? nil : index
        case .months(let count):
            let (fromYear, fromMonth, _) = anchor.components
            let (toYear, toMonth, _) = day.components
            let index = ((toYear - fromYear) * 12 + toMonth - fromMonth) / count
            guard let candidate = self.day(at: index) else { return nil }
            if candidate >= day { return index }
            return self.day(at: index + 1) == nil ? nil : index + 1
        }
    }

    /// The first billing day on or after a day; nil when there is none.
    public func next(onOrAfter day: CalendarDay) -> CalendarDay? {
        index(onOrAfter: day).flatMap { self.day(at: $0) }
    }

    /// The last billing day before a day; nil when there is none.
    public func last(before day: CalendarDay) -> CalendarDay? {
        guard day > anchor else { return nil }
        if let index = index(onOrAfter: day) { return self.day(at: index - 1) }
        guard case .once = cycle.step else { return nil }
        return anchor
    }

    /// Calls `visit` for each billing day from `first` through `last`, in order, until it returns false.
    public func visit(from first: CalendarDay, through last: CalendarDay, _ visit: (CalendarDay) -> Bool) {
        guard first <= last, var index = index(onOrAfter: first) else { return }
        while let day = day(at: index), day <= last {
            guard visit(day) else { return }
            index += 1
        }
    }

    /// The billing days from `first` through `last`, both included, in order.
    public func days(from first: CalendarDay, through last: CalendarDay) -> [CalendarDay] {
        var days: [CalendarDay] = []
        visit(from: first, through: last) { day in
            days.append(day)
            return true
        }
        return days
    }

    /// An anchor that leads to `next` and has a day of the month that the month of `next` lacks: an earlier day in a
    /// month that is long enough, from which nothing is charged between `today` and `next`. Without one, `next`
    /// itself.
    package static func anchor(
        through next: CalendarDay, dayOfMonth: Int, cycle: BillingCycle, today: CalendarDay
    ) -> CalendarDay {
        guard case .months(let count) = cycle.step, next.day < dayOfMonth else { return next }
        for steps in 1...12 {
            let earlier = next.adding(months: -count * steps, anchorDay: dayOfMonth)
            guard earlier.day == dayOfMonth else { continue }
            let leadsThere = BillingSchedule(anchor: earlier, cycle: cycle).next(onOrAfter: today) == next
            return leadsThere ? earlier : next
        }
        return next
    }
}
