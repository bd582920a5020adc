/// How bytes are split into pieces. Two bytes of the input determine it, so that the fuzzer also explores splits.
struct PiecePlan {
    private var state: UInt64
    private let longest: UInt64

    init(_ first: UInt8, _ second: UInt8) {
        state = UInt64(first) << 8 | UInt64(second)
        longest = 1 << (1 + UInt64(first) % 7)
    }

    /// Between 1 and at most 128 bytes.
    mutating func next() -> Int {
        // A step of a 64-bit linear congruential generator, whose upper half is more random.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(1 + (state >> 33) % longest)
    }
}
