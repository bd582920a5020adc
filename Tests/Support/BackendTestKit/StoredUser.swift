package import EventLog
import SQLDatabase
package import SubGuardDomain

@testable import Telemetry

/// A user as the figures know them.
package struct StoredUser: Hashable, CustomStringConvertible {
    package let hash: UserHash
    package let firstSeenAt: UTCInstant
    package let lastSeenAt: UTCInstant
    package let signupAt: UTCInstant
    package let returnedAt: UTCInstant?
    /// The first occurrence of each milestone that the user reached, by the name of its event.
    package let marks: [String: UTCInstant]
    /// In the order of their beginnings.
    package let absences: [String]
    /// The days on which they were active, as numbers.
    package let days: [Int64]

    /// Everything but the hash.
    package var description: String {
        let marks = marks.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rfc3339)" }
        return
            ([firstSeenAt.rfc3339, lastSeenAt.rfc3339, signupAt.rfc3339, returnedAt?.rfc3339 ?? "-"] + marks + absences
            + days.map(String.init))
            .joined(separator: " ")
    }
}

extension StoredUser {
    fileprivate init(_ hash: UserHash, _ state: UserState) {
        self.hash = hash
        firstSeenAt = state.moments.firstSeenAt
        lastSeenAt = state.moments.lastSeenAt
        signupAt = state.moments.signupAt
        returnedAt = state.moments.returnedAt
        var marks: [String: UTCInstant] = [:]
        for event in EventRegistry.events {
            if let milestone = Milestone(eventName: event.name) { marks[event.name] = state.moments[milestone] }
        }
        self.marks = marks
        absences = state.absences.sorted { $0.leftAt < $1.leftAt }
            .map { "\($0.leftAt.rfc3339)/\($0.returnedAt.rfc3339)" }
        days = state.days.numbers
    }
}

extension BackendFixture {
    /// The users whom the figures include, in the order of their hashes.
    package func storedUsers() throws -> [StoredUser] {
        var users: [StoredUser] = []
        try store.read { session in
            try UserPages.forEach(in: session) { users.append(StoredUser($0, $1)) }
        }
        return users.sorted { $0.hash < $1.hash }
    }

    /// The users, once all events are in the figures.
    package func users() throws -> [StoredUser] {
        try EventLog(context: context).settle()
        return try storedUsers()
    }

    /// Changes a user without changing the figures.
    package func falsify(_ number: Int, _ change: Falsification) throws {
        try store.write { transaction in
            let pages = try UserPages(in: transaction)
            let hash = userHash(number)
            var batch = try UserPageBatch([(pages.key(of: hash), hash)], pages.calendar, in: transaction)
            guard var state = try batch.state(0) else { throw MalformedTestData() }
            switch change {
            case .lastSeen: state.moments.lastSeenAt = state.moments.lastSeenAt.adding(milliseconds: 1)
            case .firstSeen: state.moments.firstSeenAt = state.moments.firstSeenAt.adding(milliseconds: -1)
            case .missingMark: state.moments[.retentionD7] = nil
            case .wrongMark: state.moments[.premiumConversion] = UTCInstant(millisecondsSinceEpoch: 1)
            case .missingAbsences: state.absences = []
            case .missingDay: state.days = ActiveDays(state.days.numbers.dropFirst())
            case .wrongPlatform: state.moments.segment = UserSegment(platform: 3, version: 0)
            case .removed: break
            }
            batch.set(0, change == .removed ? nil : state)
            try batch.save(in: transaction, with: pages)
        }
    }

    package enum Falsification: CaseIterable, Sendable {
        case lastSeen
        case firstSeen
        case missingMark
        case wrongMark
        case missingAbsences
        case missingDay
        case wrongPlatform
        case removed
    }
}
