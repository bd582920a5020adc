/// Random numbers that are the same for the same seed (SplitMix64).
struct LoadRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The numbers of one thread: neighbours must not resemble each other.
    init(seed: UInt64, thread: Int) {
        var mixer = LoadRandom(seed: seed)
        state = mixer.next() &+ UInt64(thread) &* 0xD1B5_4A32_D192_ED03
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Less than `bound`, which must be positive. Uneven by less than one in four billion for the bounds here.
    mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }
}
