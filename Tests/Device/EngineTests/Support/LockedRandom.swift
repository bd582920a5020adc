import Synchronization
import TestKit

/// Random numbers that are the same in every run, for several threads.
final class LockedRandom: Sendable {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

    func next() -> UInt64 { random.withLock { $0.next() } }
}
