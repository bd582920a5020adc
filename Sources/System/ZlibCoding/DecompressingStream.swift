/// Decompresses a coding as it arrives, in pieces of any size. Not for several threads at once.
package protocol DecompressingStream: AnyObject {
    /// Whether the coding has ended; nothing may follow.
    var isEnded: Bool { get }

    /// Decompresses the next piece. `visit` receives the output in parts of at most `room` bytes; it may throw to stop.
    ///
    /// Throws ``Inflater/Failure/malformed`` for anything but the coding, and ``Inflater/Failure/exhausted`` without
    /// memory.
    func inflate(_ piece: [UInt8], room: Int, _ visit: (ArraySlice<UInt8>) throws -> Void) throws
}

extension DecompressingStream {
    /// Decompresses the whole coding. For the parameters see
    /// ``Inflater/inflate(_:maximumBytes:prefixCount:accepts:)``.
    package func inflate(
        whole bytes: [UInt8], maximumBytes: Int, prefixCount: Int = 0, accepts: ([UInt8]) -> Bool = { _ in true }
    ) throws(Inflater.Failure) -> [UInt8] {
        var result: [UInt8] = []
        var hasSeenPrefix = prefixCount == 0
        func check(_ prefix: ArraySlice<UInt8>) throws(Inflater.Failure) {
            hasSeenPrefix = true
            guard accepts(Array(prefix)) else { throw .refused(byteCount: result.count) }
        }
        do {
            try inflate(bytes, room: prefixCount > 0 ? min(prefixCount, 65_536) : 65_536) { part in
                result += part
                if !hasSeenPrefix, result.count >= prefixCount { try check(result.prefix(prefixCount)) }
                guard result.count <= maximumBytes else { throw Inflater.Failure.tooLarge }
            }
        } catch let failure as Inflater.Failure {
            if failure == .malformed, !hasSeenPrefix { try check(result[...]) }
            throw failure
        } catch {
            throw .malformed
        }
        if !hasSeenPrefix { try check(result[...]) }
        guard isEnded else { throw .malformed }
        return result
    }
}
