import Foundation
import HTTPServer
import HTTPWire
import Synchronization

/// Caches responses by exact request target. It belongs to one view, so entries are never invalidated; its size is
/// limited, because clients can vary targets at will.
final class AnswerCache: Sendable {
    private struct Entry {
        let target: [UInt8]
        let document: RenderedDocument
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// Approximate maximum size of the cached bodies.
    private static let maximumBytes = 16 << 20
    private static let maximumEntries = 1024

    /// Runs on the event loop for every catalogue request, without allocation.
    func document(for head: RequestHead) -> RenderedDocument? {
        head.withTarget { target in
            let hash = Self.hash(target)
            return state.withLock { state in
                guard let entry = state.entries[hash], Self.equals(entry.target, target) else { return nil }
                return entry.document
            }
        }
    }

    func keep(_ document: RenderedDocument, for head: RequestHead, bytes: Int) {
        head.withTarget { target in
            let hash = Self.hash(target)
            state.withLock { state in
                if state.entries.count >= Self.maximumEntries || state.bytes + bytes > Self.maximumBytes {
                    state = State()
                }
                state.entries[hash] = Entry(target: Array(target), document: document)
                state.bytes += bytes
            }
        }
    }

    private static func equals(_ kept: [UInt8], _ target: UnsafeRawBufferPointer) -> Bool {
        kept.withUnsafeBytes { kept in
            guard kept.count == target.count, let left = kept.baseAddress, let right = target.baseAddress else {
                return false
            }
            return memcmp(left, right, kept.count) == 0
        }
    }

    /// FNV-1a. Targets with the same hash only replace each other: the target itself is compared.
    private static func hash(_ target: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in target { hash = (hash ^ UInt64(octet)) &* 0x100_0000_01B3 }
        return hash
    }
}
