package import EventLog
package import Foundation
package import SubGuardDomain

/// Events that the log no longer has, kept elsewhere: the event sink.
package protocol EventArchive: Sendable {
    /// The next events of blocks before one, in the order of arrival, as they were in the log. A page may have none
    /// although others follow.
    func page(after place: ArchivePlace, before block: Int64, occurred range: ClosedRange<UTCInstant>) throws
        -> ArchivePage

    /// Where an event is; nil if the archive does not have it.
    func place(of event: EventPosition) throws -> ArchivePlace?
}

/// A place in the order of arrival: a block, and a place in it from 0.
package struct ArchivePlace: Sendable, Hashable {
    package let block: Int64
    package let place: Int64

    package init(block: Int64, place: Int64) {
        self.block = block
        self.place = place
    }

    static let start = ArchivePlace(block: 0, place: -1)
}

package struct ArchivePage: Sendable {
    package let events: [ArchivedEvent]
    /// Where the next page begins; nil at the end.
    package let next: ArchivePlace?

    package init(events: [ArchivedEvent], next: ArchivePlace?) {
        self.events = events
        self.next = next
    }
}

package struct ArchivedEvent: Sendable, Hashable {
    package let block: Int64
    package let id: UUID
    package let name: String
    /// The number of the user in `event_sink_users`.
    package let user: Int64
    package let occurredAt: UTCInstant
    package let receivedAt: UTCInstant
    /// Compact JSON; empty if there are none.
    package let properties: [UInt8]

    var position: EventPosition { EventPosition(block: block, id: id) }

    package init(
        block: Int64, id: UUID, name: String, user: Int64, occurredAt: UTCInstant, receivedAt: UTCInstant,
        properties: [UInt8]
    ) {
        self.block = block
        self.id = id
        self.name = name
        self.user = user
        self.occurredAt = occurredAt
        self.receivedAt = receivedAt
        self.properties = properties
    }
}

/// The log was purged while it was read, and the archive lacks the event after which to continue there.
package struct ArchiveLacksEvent: Error, CustomStringConvertible {
    let event: EventPosition

    package var description: String {
        "the log was purged during the export, and the event sink does not have the event \(event.text) that was in it"
    }
}

/// The archive has an event of a user whose number the database does not have.
package struct UnknownArchiveUser: Error, CustomStringConvertible {
    let number: Int64

    package var description: String {
        "the event sink has events of user \(number), whom the database does not have; after restoring a backup, run "
            + "`subguardd sink rebuild`"
    }
}
