/// How many events of which blocks are not in the figures yet, as far as this process has seen.
struct UnfoldedBlocks {
    private var blocks: [(id: Int64, eventCount: Int)] = []
    private var folded: Int64 = 0
    private(set) var eventCount = 0

    /// Blocks in the order of the log.
    mutating func add(_ seen: [(id: Int64, eventCount: Int)]) {
        // One may be counted before whoever wrote it comes to say so.
        for block in seen where block.id > folded && block.id > blocks.last?.id ?? 0 {
            blocks.append(block)
            eventCount += block.eventCount
        }
    }

    mutating func drop(through block: Int64) {
        guard block > folded else { return }
        folded = block
        eventCount -= blocks.prefix { $0.id <= block }.reduce(0) { $0 + $1.eventCount }
        blocks = Array(blocks.drop { $0.id <= block })
    }
}
