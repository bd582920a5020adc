package import SubGuardDomain

/// The events of one request: valid events, and the reasons why others were rejected.
package struct EventBatch: Sendable {
    package let events: [AnalyticsEvent]
    package let rejected: [RejectedEvent]
    /// When the whole request was received.
    package let receivedAt: UTCInstant
    /// Size of the JSON text.
    package let byteCount: Int
    /// The name of the key that signed the batch; nil if it is unsigned.
    package var signer: String? = nil

    package init(events: [AnalyticsEvent], rejected: [RejectedEvent], receivedAt: UTCInstant, byteCount: Int) {
        self.events = events
        self.rejected = rejected
        self.receivedAt = receivedAt
        self.byteCount = byteCount
    }
}

/// A rejected event of a batch.
package struct RejectedEvent: Sendable, Hashable {
    /// Its index in the batch, from 0.
    package let index: Int
    package let code: EventRejection
    /// One sentence for the client's developer. Never repeats a received value.
    package let detail: String

    package init(index: Int, code: EventRejection, detail: String) {
        self.index = index
        self.code = code
        self.detail = detail
    }
}

extension EventBatch {
    /// Upper bound of the batch's size on disk, in units of 128 bytes: each event with two copies of its id, its share
    /// of the figures and its user, its properties as far as they differ from those of the previous event, and what an
    /// event dated ahead takes until its moment has come.
    package var storedUnits: Int {
        var units = 0
        var before: AnalyticsEvent?
        for event in events {
            var bytes = Self.eventBytes
            if event.userID != before?.userID { bytes += UserHash.byteCount }
            if let properties = event.properties, properties != before?.properties {
                bytes += properties.count + (event.definition.countsOncePerUser ? 0 : Self.itemBytes)
            }
            if event.timestamp > receivedAt { bytes += Self.deferredBytes }
            units += (bytes + Self.bytesOfUnit - 1) / Self.bytesOfUnit
            before = event
        }
        return units
    }

    /// Events that lie further ahead than clocks usually are wrong, which is ten minutes.
    package var eventsAhead: Int {
        let bound = receivedAt.adding(seconds: 600)
        return events.count { $0.timestamp > bound }
    }

    private static let bytesOfUnit = 128
    private static let eventBytes = 96
    /// The row of an event dated ahead, in a table that is not filled in the order of its key.
    private static let deferredBytes = 272
    /// A row of the figures of a catalogue item.
    private static let itemBytes = 64
}

/// The result of one batch. Its accepted events are on disk.
package struct IngestReceipt: Sendable, Hashable {
    package let accepted: Int
    /// Events with a known id, or with an id repeated in the batch.
    package let duplicates: Int
    package let rejected: [RejectedEvent]

    package init(accepted: Int, duplicates: Int, rejected: [RejectedEvent]) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejected = rejected
    }
}
