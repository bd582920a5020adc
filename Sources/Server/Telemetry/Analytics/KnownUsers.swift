package import EventLog
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import Synchronization

/// Distinguishes known users from new ones, so that new ones can be limited before anything is stored.
///
/// Caches up to a million recent users in 16 MiB, and queries the database for others. Users with events that are
/// stored but not yet counted, by another process or before the start, appear new: the limit errs on the strict side.
package final class KnownUsers: Sendable {
    private let context: BackendContext
    private let memory: Mutex<Memory>

    /// - Parameter capacity: users in each of the two generations of the cache. Default 524,288.
    package init(context: BackendContext, capacity: Int = 1 << 19) {
        self.context = context
        memory = Mutex(Memory(capacity: capacity))
    }

    /// The users of these events unknown to both cache and database, each once. Costs one look-up in memory per run of
    /// events of one user, and one statement per 256 uncached users.
    package func strangers(in events: [AnalyticsEvent]) throws -> [UserHash] {
        let unseen = memory.withLock { memory in
            var unseen: [UserHash] = []
            var last: UserHash?
            for event in events where event.userID != last {
                last = event.userID
                if !memory.contains(event.userID) { unseen.append(event.userID) }
            }
            return unseen.count > 1 ? Array(Set(unseen)) : unseen
        }
        guard !unseen.isEmpty else { return [] }
        let stored = try Self.stored(unseen, in: context.store)
        guard !stored.isEmpty else { return unseen }
        remember(stored)
        return unseen.filter { !stored.contains($0) }
    }

    /// Marks these users as known.
    package func remember(_ users: some Collection<UserHash>) {
        memory.withLock { memory in
            for user in users { memory.insert(user) }
        }
    }

    private static func stored(_ users: [UserHash], in store: any SQLStore) throws -> Set<UserHash> {
        try store.read { session in try UserPages(in: session).stored(users, in: session) }
    }
}

extension KnownUsers {
    /// Two generations: when the younger one is full, the older one is dropped. Users seen again move to the younger
    /// one.
    fileprivate struct Memory {
        private let capacity: Int
        private var young = Fingerprints()
        private var old = Fingerprints()

        init(capacity: Int) { self.capacity = capacity }

        mutating func contains(_ user: UserHash) -> Bool {
            let mark = Self.fingerprint(user)
            if young.contains(mark) { return true }
            guard old.contains(mark) else { return false }
            insert(mark)
            return true
        }

        mutating func insert(_ user: UserHash) { insert(Self.fingerprint(user)) }

        private mutating func insert(_ mark: UInt64) {
            if young.count >= capacity {
                old = young
                young = Fingerprints()
            }
            young.insert(mark)
        }

        /// Keyed per process, so that users with colliding fingerprints cannot be constructed.
        private static func fingerprint(_ user: UserHash) -> UInt64 { UInt64(bitPattern: Int64(user.hashValue)) | 1 }
    }

    /// A set of non-zero numbers in one allocation, at most half full.
    private struct Fingerprints {
        private(set) var count = 0
        private var slots = [UInt64](repeating: 0, count: 1024)

        func contains(_ mark: UInt64) -> Bool {
            slots.withUnsafeBufferPointer { $0[Self.slot(of: mark, in: $0)] != 0 }
        }

        mutating func insert(_ mark: UInt64) {
            if 2 * (count + 1) > slots.count {
                let all = slots
                slots = [UInt64](repeating: 0, count: 2 * all.count)
                for other in all where other != 0 { place(other) }
            }
            if place(mark) { count += 1 }
        }

        @discardableResult
        private mutating func place(_ mark: UInt64) -> Bool {
            let slot = slots.withUnsafeBufferPointer { Self.slot(of: mark, in: $0) }
            guard slots[slot] == 0 else { return false }
            slots[slot] = mark
            return true
        }

        /// The slot of the number, or the free slot for it.
        private static func slot(of mark: UInt64, in slots: UnsafeBufferPointer<UInt64>) -> Int {
            let last = slots.count - 1
            // The lowest bit is always set.
            var slot = Int(truncatingIfNeeded: mark >> 1) & last
            while slots[slot] != 0, slots[slot] != mark { slot = (slot + 1) & last }
            return slot
        }
    }
}
