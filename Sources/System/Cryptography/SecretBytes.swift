#if canImport(CryptoKit)
    import Darwin
#else
    import CCrypto
#endif

/// A key or another secret. Its memory is erased when the last reference goes.
///
// proof: the buffer is filled in `init` and never written again before `deinit`.
package final class SecretBytes: @unchecked Sendable {
    private let buffer: UnsafeMutableRawBufferPointer

    package var count: Int { buffer.count }

    /// Copies the bytes.
    package convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// Passes zeroed memory to `fill`.
    package init<Failure: Error>(
        count: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        buffer = .allocate(byteCount: count, alignment: 16)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(buffer)
    }

    /// As many random bytes of the system.
    package convenience init(randomCount count: Int) {
        self.init(Self.random(count))
    }

    deinit {
        #if canImport(CryptoKit)
            memset_s(buffer.baseAddress, buffer.count, 0, buffer.count)
        #else
            OPENSSL_cleanse(buffer.baseAddress, buffer.count)
        #endif
        buffer.deallocate()
    }

    /// Lends the bytes; they must not be kept.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(buffer))
    }

    /// A part of the bytes, as a secret of its own.
    package func part(_ range: Range<Int>) -> SecretBytes { SecretBytes(buffer[range]) }

    /// Random bytes that are no secret, such as a salt.
    package static func random(_ count: Int) -> [UInt8] {
        // A call of the system for each 8 bytes, not for each one.
        var generator = SystemRandomNumberGenerator()
        let words = (0..<(count + 7) / 8).map { _ in generator.next() as UInt64 }
        return Array(words.withUnsafeBytes { $0.prefix(count) })
    }
}

/// Comparison in a time that depends on the lengths only, for codes and hashes of secrets.
package enum ConstantTime {
    package static func areEqual(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
