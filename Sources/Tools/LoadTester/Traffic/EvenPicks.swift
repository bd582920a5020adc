/// Picks one of several choices again and again, evenly spread: in each period as long as the sum of the weights, every
/// choice occurs exactly as often as its weight.
struct EvenPicks {
    private let weights: [Int]
    private let total: Int
    private var credits: [Int]

    init(weights: [Int]) {
        self.weights = weights
        total = weights.reduce(0, +)
        credits = weights.map { _ in 0 }
    }

    /// Choice 0 for a percentage with up to three decimals, else choice 1. The share is exact to within one for any
    /// number of picks.
    init(percent: Double) {
        let share = Int((percent * 1000).rounded())
        self.init(weights: [share, 100_000 - share])
    }

    /// The number of the next choice.
    mutating func next() -> Int {
        var chosen = 0
        for index in weights.indices {
            credits[index] += weights[index]
            if credits[index] > credits[chosen] { chosen = index }
        }
        credits[chosen] -= total
        return chosen
    }

    /// Replaces the last choice by another one, which a later pick makes up for.
    mutating func replace(_ choice: Int, by other: Int) {
        credits[choice] += total
        credits[other] -= total
    }
}
