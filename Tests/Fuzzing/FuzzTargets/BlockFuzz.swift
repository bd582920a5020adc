import EventLog

/// Input: a block of the event log, possibly damaged.
enum BlockFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        var visited = 0
        var isWhole = false
        input.withUnsafeBytes { bytes in
            guard let reader = try? EventBlockReader(bytes) else { return }
            let visit: Void? = try? reader.forEach { event in
                visited += 1
                if let set = event.set { _ = reader.properties(ofSet: set) }
            }
            isWhole = visit == nil || visited == reader.count
        }
        // An id alone takes 16 bytes.
        try hold(visited * 16 <= input.count, "more events than the bytes can hold")
        try hold(visited == 0 || isWhole, "fewer events than announced")
    }
}
