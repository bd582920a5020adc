/// A deterministic random number generator for simulations and tests. Not for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    @inlinable package init(seed: UInt64) { state = seed }

    /// One of many independent streams of the same seed, such as one per device. Neighbouring streams are not
    /// correlated.
    @inlinable package init(seed: UInt64, stream: Int) {
        var mixer = SplitMix64(seed: seed)
        state = mixer.next() &+ UInt64(truncatingIfNeeded: stream) &* 0xD1B5_4A32_D192_ED03
    }

    @inlinable package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 to `bound - 1`; `bound` must be positive. The bias is less than one in four billion for bounds under
    /// 2^32.
    @inlinable package mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// At least 0 and less than 1.
    package mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    /// True with the given probability, 0 to 1.
    package mutating func chance(_ probability: Double) -> Bool { fraction() < probability }

    /// Picks a choice with a probability proportional to its weight. There must be at least one.
    package mutating func pick<Choice>(_ choices: [(choice: Choice, weight: Double)]) -> Choice {
        var rest = fraction() * choices.reduce(0) { $0 + $1.weight }
        for (choice, weight) in choices.dropLast() {
            rest -= weight
            if rest < 0 { return choice }
        }
        return choices[choices.count - 1].choice
    }
}
