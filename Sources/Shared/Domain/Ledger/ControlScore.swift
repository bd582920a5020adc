/// The share of the last 90 days' charges that the user confirmed.
///
/// Counts billing days from today − 89 through today; today's only once confirmed, skipped ones never. A late
/// confirmation counts half.
public struct ControlScore: Sendable, Hashable {
    /// The colour in which the score is shown.
    public enum Rating: String, Sendable, Hashable {
        /// Over 80 %.
        case green
        /// From 50 % through 80 %.
        case orange
        /// Below 50 %.
        case red
    }

    /// The days whose charges count, today included.
    public static let windowDays = 90

    /// Charges that were confirmed on their day or before.
    public var confirmed: Int
    /// Charges that were confirmed after their day; each counts half.
    public var late: Int
    /// Charges of the past that were never confirmed.
    public var missed: Int
    /// Charges that the user recorded as not made; they count neither in ``due`` nor in the percentage.
    public var skipped: Int

    /// Takes the counts as they are.
    public init(confirmed: Int, late: Int, missed: Int, skipped: Int = 0) {
        self.confirmed = confirmed
        self.late = late
        self.missed = missed
        self.skipped = skipped
    }

    /// The first day of the window that ends with `today`.
    public static func windowStart(today: CalendarDay) -> CalendarDay { today.adding(days: 1 - windowDays) }

    /// The charges that count: confirmed, late and missed ones.
    public var due: Int { confirmed + late + missed }

    /// Twice the weighted count, to avoid fractions.
    private var halves: Int { 2 * confirmed + late }

    /// The percentage in tenths, rounded half to even; nil when nothing was due.
    public var percentTenths: Int? {
        guard due > 0 else { return nil }
        // halves / (2 × due) × 1000 tenths of a percent.
        let (quotient, remainder) = (halves * 500).quotientAndRemainder(dividingBy: due)
        let roundsUp = 2 * remainder > due || 2 * remainder == due && !quotient.isMultiple(of: 2)
        return quotient + (roundsUp ? 1 : 0)
    }

    /// `87.5`; nil when nothing was due.
    public var percentText: String? { percentTenths.map { "\($0 / 10).\($0 % 10)" } }

    /// Computed from the exact share, not the rounded one; nil when nothing was due.
    public var rating: Rating? {
        guard due > 0 else { return nil }
        if halves * 50 > 80 * due { return .green }
        return halves * 50 < 50 * due ? .red : .orange
    }

    /// The score after one more missed charge is confirmed; never lower.
    public var afterConfirmingOneMissed: ControlScore {
        guard missed > 0 else { return self }
        return ControlScore(confirmed: confirmed, late: late + 1, missed: missed - 1, skipped: skipped)
    }
}
