import SubGuardDomain

/// How well days fit a cycle. Bookings are late by weekends and holidays, and months differ in length.
struct BookingRhythm: Sendable {
    let cycle: BillingCycle
    private let tolerance: Double
    /// The number of the period of each day, from 0; nil for days that do not fit.
    let periods: [Int?]
    /// Days that do not fit, or share a period with another.
    let strays: Int
    /// Periods with a charge.
    let hits: Int
    /// Periods from the first through the last charge.
    let span: Int
    /// The mean distance from the expected day, in days.
    let meanDistance: Double
    /// The share of the charges that are as near to the expected day as the cycle wants most to be.
    let punctuality: Double

    /// The share of the periods that have a charge.
    var coverage: Double { span == 0 ? 0 : Double(hits) / Double(span) }
    /// Periods without a charge.
    var gaps: Int { span - hits }

    /// The cycles that are looked for, with the days that a booking may be off; commonest first.
    static let cycles: [(cycle: BillingCycle, tolerance: Double)] = {
        var cycles: [(BillingCycle, Double)] = [(.monthly, 5.5)]
        let every = { (count: Int, unit: BillingUnit, tolerance: Double) in
            if let cycle = BillingCycle.every(count: count, unit: unit) { cycles.append((cycle, tolerance)) }
        }
        cycles += [(.yearly, 12), (.quarterly, 8), (.semiAnnual, 10)]
        every(4, .weeks, 3)
        every(2, .months, 6)
        cycles += [(.weekly, 3), (.biweekly, 4)]
        every(2, .years, 14)
        return cycles
    }()

    static func tolerance(of cycle: BillingCycle) -> Double {
        if let known = cycles.first(where: { $0.cycle == cycle }) { return known.tolerance }
        switch cycle.step {
        case .once: return 5
        case .days(let count): return min(max(Double(count) / 6, 0.5), 10)
        case .months(let count): return min(5 + Double(count), 14)
        }
    }

    /// The days that most bookings may be off: short cycles would find a rhythm in anything otherwise. A holiday delays
    /// the others.
    private static func punctual(_ cycle: BillingCycle) -> Double {
        switch cycle {
        case .weekly: 1.2
        case .biweekly: 2.2
        default: tolerance(of: cycle)
        }
    }

    /// The mean length of a month in the Gregorian calendar, in days.
    static let monthDays = 30.436875

    /// A place on a line on which the periods of the cycle have the same length.
    private static func place(_ day: CalendarDay, _ step: BillingStep) -> Double {
        guard case .months = step else { return Double(day.daysSinceEpoch) }
        return monthPlace(day)
    }

    /// A place on a line on which all months have the same length.
    static func monthPlace(_ day: CalendarDay) -> Double {
        let (year, month, date) = day.components
        return Double(year * 12 + month) * monthDays + Double(date)
    }

    private static func length(_ step: BillingStep) -> Double {
        switch step {
        case .days(let count): Double(count)
        case .months(let count): Double(count) * monthDays
        case .once: .infinity
        }
    }

    /// - Parameters:
    ///   - days: sorted, at least one.
    ///   - ranks: of days in one period, that of the least rank counts, then the nearest; empty when all are alike.
    init(_ days: [CalendarDay], cycle: BillingCycle, tolerance: Double, ranks: [Int] = []) {
        self.cycle = cycle
        self.tolerance = tolerance
        let length = Self.length(cycle.step)
        let places = days.map { Self.place($0, cycle.step) }
        var start = places[0]
        var rests: [Double] = []
        // The first day may itself be late; the median is the usual delay.
        for _ in 0..<3 {
            rests = places.map { place in
                let distance = (place - start) / length
                return (distance - distance.rounded()) * length
            }
            start += rests.sorted()[rests.count / 2]
        }
        var best: [Int: Int] = [:]
        let numbers = places.map { Int((($0 - start) / length).rounded()) }
        rests = zip(places, numbers).map { $0 - start - Double($1) * length }
        for index in days.indices where abs(rests[index]) <= tolerance {
            if let other = best[numbers[index]] {
                let (mine, theirs) = ranks.isEmpty ? (0, 0) : (ranks[index], ranks[other])
                if (theirs, abs(rests[other])) <= (mine, abs(rests[index])) { continue }
            }
            best[numbers[index]] = index
        }
        let chosen = Set(best.values)
        let first = best.keys.min() ?? 0
        periods = days.indices.map { chosen.contains($0) ? numbers[$0] - first : nil }
        strays = days.count - chosen.count
        hits = chosen.count
        span = hits == 0 ? 0 : (best.keys.max() ?? 0) - first + 1
        let near = Self.punctual(cycle)
        punctuality = hits == 0 ? 0 : Double(chosen.count { abs(rests[$0]) <= near }) / Double(hits)
        meanDistance = hits == 0 ? 0 : chosen.reduce(0) { $0 + abs(rests[$1]) } / Double(hits)
    }

    /// Whether two days may be charges of different periods, without a look at the others. Each may be off by the
    /// tolerance, and the months between are of different length.
    func mayFollow(_ day: CalendarDay, _ next: CalendarDay) -> Bool {
        Double(day.days(until: next)) >= Self.length(cycle.step) - 2 * tolerance - 3
    }

    /// The billing schedule of days that fit: on their commonest day of the month, from the first one on.
    static func schedule(_ days: [CalendarDay], cycle: BillingCycle) -> BillingSchedule {
        guard let first = days.first else { return BillingSchedule(anchor: .earliest, cycle: cycle) }
        guard case .months = cycle.step else {
            return BillingSchedule(anchor: first, cycle: cycle)
        }
        // Short months say nothing about the 31st: 28 February is due on any of the last days.
        let latest = days.map(\.day).max() ?? first.day
        var counts: [Int: Int] = [:]
        for day in days where CalendarDay.daysIn(month: day.month, year: day.year) >= latest {
            counts[day.day, default: 0] += 1
        }
        let date = counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? first.day
        let month = first.adding(days: 1 - first.day)
        // Nearest to the first charge: one of the 1st is due on the 31st of the month before.
        let near = [-1, 0, 1].map { month.adding(months: $0, anchorDay: date) }
        let anchor = near.min { abs($0.days(until: first)) < abs($1.days(until: first)) } ?? first
        guard anchor.day == date else {
            // A shorter month hides the date: start a period that shows it.
            let whole = (1...12).lazy.map { anchor.adding(months: -$0, anchorDay: date) }.first { $0.day == date }
            guard case .months(1) = cycle.step, let whole else { return BillingSchedule(anchor: anchor, cycle: cycle) }
            return BillingSchedule(anchor: whole, cycle: cycle)
        }
        return BillingSchedule(anchor: anchor, cycle: cycle)
    }
}
