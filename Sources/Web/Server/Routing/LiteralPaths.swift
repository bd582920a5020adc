import HTTPWire

/// Finds routes without parameters by the bytes of the path: one hash, one comparison, no allocation. A miss is not
/// final: the path may be percent-encoded or match a pattern.
struct LiteralPaths: Sendable {
    private struct Slot {
        /// Range in ``octets``; empty for a free slot.
        var path = 0..<0
        /// Index of this path's first method in ``routeIndices``.
        var firstIndex = 0
    }

    private var slots: [Slot]
    private var octets: [UInt8] = []
    /// One entry for each method of each path; -1 if the method is not served.
    private var routeIndices: [Int] = []

    /// `serving` contains the indices of the routes to include.
    init(_ routes: [Route], serving: [Int]) {
        let literals = serving.filter { routes[$0].pattern.holes == 0 }
        // A power of two, so that a mask reduces a hash, and at most half full with two spellings of each path.
        var size = 4
        while size < literals.count * 4 { size *= 2 }
        slots = Array(repeating: Slot(), count: size)
        for index in literals {
            let pattern = routes[index].pattern
            let path = Array(pattern.description.utf8)
            add(path, routes[index].method, index)
            if pattern.hasOptionalSlash { add(Array(path.dropLast()), routes[index].method, index) }
        }
    }

    private mutating func add(_ path: [UInt8], _ method: RequestMethod, _ index: Int) {
        path.withUnsafeBytes { bytes in
            let slot = find(bytes)
            if slots[slot].path.isEmpty {
                slots[slot] = Slot(path: octets.count..<octets.count + path.count, firstIndex: routeIndices.count)
                octets += path
                routeIndices += Array(repeating: -1, count: RequestMethod.allCases.count)
            }
            let place = slots[slot].firstIndex + Int(method.rawValue)
            // The first of two equal routes wins, as in a linear search.
            if routeIndices[place] < 0 { routeIndices[place] = index }
        }
    }

    func route(_ method: RequestMethod, _ path: UnsafeRawBufferPointer) -> Int? {
        let slot = slots[find(path)]
        guard !slot.path.isEmpty else { return nil }
        let index = routeIndices[slot.firstIndex + Int(method.rawValue)]
        return index >= 0 ? index : nil
    }

    /// The slot of this path, or the free slot for it.
    private func find(_ path: UnsafeRawBufferPointer) -> Int {
        // FNV-1a.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in path { hash = (hash ^ UInt64(octet)) &* 0x100_0000_01B3 }
        let mask = slots.count - 1
        var position = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
        while !slots[position].path.isEmpty, !holds(slots[position].path, path) { position = (position + 1) & mask }
        return position
    }

    private func holds(_ range: Range<Int>, _ path: UnsafeRawBufferPointer) -> Bool {
        guard range.count == path.count else { return false }
        for (offset, octet) in path.enumerated() where octets[range.lowerBound + offset] != octet { return false }
        return true
    }
}
