/// The ids that are in no run yet: a hash table with open addressing in one allocation of at least 32 bytes per id.
struct RecentEventIDs {
    private let seed: EventIDSeed
    // Zero marks a free slot; a flag represents the nil UUID, which is a valid id.
    private var slots: [UInt128]
    private var hasNil = false
    private(set) var count = 0

    init(seed: EventIDSeed, capacity: Int = 1 << 16) {
        self.seed = seed
        slots = [UInt128](repeating: 0, count: Self.slotCount(forIDs: capacity))
    }

    /// Returns false if the id is already present.
    mutating func insert(_ id: EventID) -> Bool {
        if id.value == 0 {
            defer { hasNil = true }
            if !hasNil { count += 1 }
            return !hasNil
        }
        if 2 * (count + 1) > slots.count { grow() }
        guard place(id) else { return false }
        count += 1
        return true
    }

    func contains(_ id: EventID) -> Bool {
        if id.value == 0 { return hasNil }
        return slots.withUnsafeBufferPointer { $0[Self.slot(of: id, hash: seed.hash(id), in: $0)] != 0 }
    }

    /// All ids in ascending order.
    var sorted: [EventID] {
        var ids: [EventID] = []
        ids.reserveCapacity(count)
        if hasNil { ids.append(EventID(value: 0)) }
        for slot in slots where slot != 0 { ids.append(EventID(value: slot)) }
        ids.sort()
        return ids
    }

    /// Removes all ids and keeps the memory.
    mutating func removeAll() {
        for index in slots.indices { slots[index] = 0 }
        hasNil = false
        count = 0
    }

    private mutating func place(_ id: EventID) -> Bool {
        slots.withUnsafeMutableBufferPointer { slots in
            let slot = Self.slot(of: id, hash: seed.hash(id), in: UnsafeBufferPointer(slots))
            guard slots[slot] == 0 else { return false }
            slots[slot] = id.value
            return true
        }
    }

    /// The slot of the id, or the free slot for it.
    private static func slot(of id: EventID, hash: UInt64, in slots: UnsafeBufferPointer<UInt128>) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0, slots[slot] != id.value { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt128](repeating: 0, count: 2 * old.count)
        for slot in old where slot != 0 { _ = place(EventID(value: slot)) }
    }

    /// A power of two, at most half full.
    private static func slotCount(forIDs count: Int) -> Int {
        var slots = 64
        while slots < 2 * count { slots *= 2 }
        return slots
    }
}
