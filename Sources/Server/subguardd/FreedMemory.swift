import CAllocator
import Dispatch

/// Returns memory to the system after much of it was freed, such as after thousands of connections have closed. By
/// itself the C library returns only what lies at the end of the heap.
final class FreedMemory {
    private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "subguard.memory", qos: .utility))

    private static let seconds = 10
    /// Returning memory stops other threads for some milliseconds, so smaller amounts stay.
    private static let leastBytes = 8 << 20

    init() {
        // The least that was free since the last time: what has been returned is still counted as free.
        var least = allocator_freed_bytes()
        timer.schedule(
            deadline: .now() + .seconds(Self.seconds), repeating: .seconds(Self.seconds), leeway: .seconds(1))
        timer.setEventHandler {
            let freed = allocator_freed_bytes()
            least = min(least, freed)
            guard freed - least > Self.leastBytes else { return }
            allocator_return_freed()
            least = allocator_freed_bytes()
        }
        timer.resume()
    }

    deinit { timer.cancel() }
}
