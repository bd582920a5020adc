/// What becomes of events: as the tool expects it, or as the server tells it.
package struct EventCounts: Sendable, Equatable {
    package var accepted = 0
    package var duplicates = 0
    package var rejected = 0

    package init(accepted: Int = 0, duplicates: Int = 0, rejected: Int = 0) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejected = rejected
    }

    package var total: Int { accepted + duplicates + rejected }

    package static func += (left: inout EventCounts, right: EventCounts) {
        left.accepted += right.accepted
        left.duplicates += right.duplicates
        left.rejected += right.rejected
    }
}
