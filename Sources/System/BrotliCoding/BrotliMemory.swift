import Synchronization
import ZlibCoding

/// The memory of one decoder, within the bounds for it and for all of them.
///
/// A decoder belongs to one thread at a time, as ``BrotliStream`` does.
final class BrotliMemory {
    /// What encoders use unless told otherwise is a window of 4 MiB; decoders need little more.
    static let mostBytes = 6 << 20
    static let mostBytesTogether = 32 << 20

    private static let allInUse = Atomic<Int>(0)
    /// Before each block: its size. As long as the alignment that `malloc` guarantees.
    private static let headBytes = 16

    private var inUse = 0
    /// Why the decoder was refused memory.
    private(set) var refusal: Inflater.Failure?

    /// The bytes of all decoders, for tests.
    static var bytesTogether: Int { allInUse.load(ordering: .relaxed) }

    /// Nil beyond the bounds; the decoder then fails.
    static func allocate(_ owner: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
        guard let owner else { return nil }
        return Unmanaged<BrotliMemory>.fromOpaque(owner).takeUnretainedValue().allocate(size + headBytes)
    }

    static func free(_ owner: UnsafeMutableRawPointer?, _ address: UnsafeMutableRawPointer?) {
        guard let owner, let address else { return }
        Unmanaged<BrotliMemory>.fromOpaque(owner).takeUnretainedValue().free(address - headBytes)
    }

    private func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        guard inUse + size <= Self.mostBytes else {
            refusal = .tooLarge
            return nil
        }
        guard Self.allInUse.wrappingAdd(size, ordering: .relaxed).newValue <= Self.mostBytesTogether else {
            Self.allInUse.wrappingSubtract(size, ordering: .relaxed)
            refusal = .exhausted
            return nil
        }
        inUse += size
        let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.headBytes)
        block.storeBytes(of: size, as: Int.self)
        return block + Self.headBytes
    }

    private func free(_ block: UnsafeMutableRawPointer) {
        let size = block.load(as: Int.self)
        inUse -= size
        Self.allInUse.wrappingSubtract(size, ordering: .relaxed)
        block.deallocate()
    }
}
