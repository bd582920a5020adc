import JSONWire
import SubGuardContract

/// How many events of a batch the server accepted, knew already and rejected: as expected, or as answered.
package struct EventCounts: Sendable, Equatable {
    package var accepted = 0
    package var duplicates = 0
    package var rejected = 0

    package init(accepted: Int = 0, duplicates: Int = 0, rejected: Int = 0) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejected = rejected
    }

    /// Reads the answer to a batch; nil when it is not in the form of the contract.
    init?(_ body: [UInt8]) {
        guard let object = (try? JSONValue.parse(body))?.objectValue, let answer = IngestAnswer(wire: object) else {
            return nil
        }
        self.init(accepted: answer.accepted, duplicates: answer.duplicates, rejected: answer.rejectedCount)
    }

    package var total: Int { accepted + duplicates + rejected }

    package static func += (left: inout EventCounts, right: EventCounts) {
        left.accepted += right.accepted
        left.duplicates += right.duplicates
        left.rejected += right.rejected
    }
}
