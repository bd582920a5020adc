/// The result of one batch. Its accepted events are on disk.
package struct IngestReceipt: Sendable, Hashable {
    package let accepted: Int
    /// Events with a known id, or repeated in the batch.
    package let duplicates: Int
    package let rejected: [RejectedEvent]
}
