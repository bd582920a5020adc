package import Foundation
import SubGuardDomain

/// A place in the log: directly after an event. It stays valid when blocks are purged, rewritten or joined, because the
/// event is found again by its id.
package struct EventPosition: Sendable, Hashable {
    /// The block that held the event when it was read.
    package let block: Int64
    package let id: UUID

    package init(block: Int64, id: UUID) {
        self.block = block
        self.id = id
    }

    /// `4821,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b`: the first two cells of an exported line.
    package var text: String { "\(block),\(id.lowercased)" }

    /// Nil for a text of another form. Accepts ids in either case.
    package init?(text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let block = Int64(parts[0]),
            (1...EventLogState.highestBlock).contains(block), let id = UUID(strict: String(parts[1]))
        else { return nil }
        self.init(block: block, id: id)
    }
}

/// An event after which reading should continue is not in the log any more, so it is unknown what follows it.
package struct EventPositionError: Error, Sendable, Hashable, CustomStringConvertible {
    package let position: EventPosition

    package var description: String {
        "the event \(position.id.lowercased) is not in the log any more; continue after an earlier one, or start again"
    }
}
