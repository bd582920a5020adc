import HTTPWire

/// The id of a request. A generated id is two numbers, so that an id that is never read costs no string.
struct RequestIdentity: Sendable {
    private(set) var given = false
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    /// Uses the client's id if it is valid.
    mutating func choose(for head: RequestHead, from source: inout IdentitySource) {
        given = head.withValue(of: .requestID, Self.isAcceptable) ?? false
        if !given { (high, low) = source.next() }
    }

    static func isAcceptable(_ value: UnsafeRawBufferPointer) -> Bool {
        (1...128).contains(value.count) && value.allSatisfy { (0x21...0x7E).contains($0) }
    }

    func text(in head: RequestHead) -> String {
        var output = OutputBuffer(capacity: 128)
        append(to: &output, head: head)
        return output.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    func append(to output: inout OutputBuffer, head: RequestHead) {
        if given {
            head.withValue(of: .requestID) { output.append($0) }
        } else {
            output.appendHexadecimal(high)
            output.appendHexadecimal(low)
        }
    }
}

/// Generates unique ids of 32 hexadecimal digits. They are not secret, so SplitMix64 with a random seed and a counter
/// suffices.
struct IdentitySource: Sendable {
    private let seed: UInt64
    private var state: UInt64

    init() {
        var generator = SystemRandomNumberGenerator()
        seed = generator.next()
        state = generator.next()
    }

    mutating func next() -> (UInt64, UInt64) {
        state &+= 0x9E37_79B9_7F4A_7C15
        return (Self.mix(seed ^ state), Self.mix(state))
    }

    private static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
