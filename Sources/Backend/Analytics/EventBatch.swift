package import SubGuardDomain

/// What one request brought: the events that may be stored and the refusals of the others.
package struct EventBatch: Sendable {
    package let events: [AnalyticsEvent]
    package let rejected: [RejectedEvent]
    /// When the server had the whole request.
    package let receivedAt: UTCInstant
    /// Size of the JSON text.
    package let byteCount: Int
    /// The key that signed the request, by its name; nil for a request without a known signature.
    package var signer: String? = nil

    package init(events: [AnalyticsEvent], rejected: [RejectedEvent], receivedAt: UTCInstant, byteCount: Int) {
        self.events = events
        self.rejected = rejected
        self.receivedAt = receivedAt
        self.byteCount = byteCount
    }
}

/// One event of a batch that was refused.
package struct RejectedEvent: Sendable, Hashable {
    /// Its place in the batch, counted from 0.
    package let index: Int
    package let code: EventRejection
    /// One sentence for the developer of the device. Never repeats a value.
    package let detail: String

    package init(index: Int, code: EventRejection, detail: String) {
        self.index = index
        self.code = code
        self.detail = detail
    }
}
