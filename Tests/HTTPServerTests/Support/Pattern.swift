/// Bytes that differ along the way, so that a piece lost or doubled shows.
enum Pattern {
    /// A prime, so that no buffer's size is a multiple of it.
    private static let period = 251

    static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            for index in 0..<count {
                buffer.initializeElement(at: index, to: UInt8(truncatingIfNeeded: index % period))
            }
            initialized = count
        }
    }

    /// ``bytes(_:)`` as text, for bodies of requests.
    static func text(_ count: Int) -> String {
        String(repeating: "12.34 2024-02-29 ", count: count / 17 + 1).prefix(count).description
    }
}
