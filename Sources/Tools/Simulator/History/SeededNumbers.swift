/// Random numbers that are the same in every run (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// The numbers of one device for one purpose: neighbours must not resemble each other.
    init(seed: UInt64, device: Int, purpose: UInt64) {
        var mixer = SeededNumbers(seed: seed)
        mixer.state ^= mixer.next() &+ UInt64(device)
        mixer.state ^= mixer.next() &+ purpose
        self.init(seed: mixer.next())
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// At least 0 and less than 1.
    mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    mutating func chance(_ probability: Double) -> Bool { fraction() < probability }

    mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(fraction() * Double(range.count))
    }

    /// One of the choices, each as often as its weight says. There must be at least one.
    mutating func pick<Choice>(_ choices: [(choice: Choice, weight: Double)]) -> Choice {
        var rest = fraction() * choices.reduce(0) { $0 + $1.weight }
        for (choice, weight) in choices.dropLast() {
            rest -= weight
            if rest < 0 { return choice }
        }
        return choices[choices.count - 1].choice
    }
}
