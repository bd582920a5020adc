/// Picks a percentage of all that passes, evenly spread and without chance: of any number that passed, the share is
/// exact but for one.
struct ExactShare {
    private static let whole = 100_000
    private let share: Int
    private var credit: Int

    /// `percent` to three decimals. `start` moves the first pick, so that two shares do not fall together: 0 ..< 1.
    init(percent: Double, start: Double = 0) {
        share = Int((percent / 100 * Double(Self.whole)).rounded())
        credit = Int(start * Double(Self.whole))
    }

    /// Whether the next one is picked.
    mutating func next() -> Bool {
        credit += share
        guard credit >= Self.whole else { return false }
        credit -= Self.whole
        return true
    }

    /// The last pick could not be used; the next one makes up for it.
    mutating func putBack() { credit += Self.whole }
}
