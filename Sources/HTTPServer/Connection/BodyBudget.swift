import Synchronization

/// The memory that request bodies may take together. Each body has its own limit, but many clients at once could still
/// ask for more than there is.
final class BodyBudget: Sendable {
    private let used = Atomic<Int>(0)
    private let maximumBytes: Int

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// `false`, and nothing taken, when it would be too much.
    func take(_ bytes: Int) -> Bool {
        let (_, now) = used.add(bytes, ordering: .relaxed)
        if now <= maximumBytes { return true }
        used.subtract(bytes, ordering: .relaxed)
        return false
    }

    func giveBack(_ bytes: Int) { used.subtract(bytes, ordering: .relaxed) }
}
