/// What became of one batch. Its accepted events are on disk.
package struct IngestReceipt: Sendable, Hashable {
    package let accepted: Int
    /// Events whose id was known already, or stood twice in the batch.
    package let duplicates: Int
    package let rejected: [RejectedEvent]
}
