import Cryptography
import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension CrashWriter {
    private struct KnownSession {
        let id: Int64
        /// Nil if its release has since been evicted.
        let releaseID: Int64?
        /// Whether an administrator has deleted its release, and thereby the session.
        let isDeleted: Bool
        let hourNumber: Int64
        let receivedAt: UTCInstant
        var state: SessionState
    }

    mutating func write(_ update: SessionUpdate) throws {
        guard var known = try session(update.id) else { return try begin(update) }
        guard !known.isDeleted else { return }
        switch known.state.apply(update, knownSince: known.receivedAt, receivedAt: receivedAt) {
        case .tooLate: tally.lateSessions += 1
        case .unchanged: break
        case .counted(let change):
            try transaction.execute(
                "UPDATE crash_sessions SET status = ?, has_errors = ? WHERE id = ?",
                [.text(known.state.status.rawValue), .integer(known.state.hasErrors ? 1 : 0), .integer(known.id)])
            try add(change, hourNumber: known.hourNumber, releaseID: try known.releaseID ?? otherReleaseID())
        }
    }

    mutating func write(_ count: SessionCount) throws {
        guard try isNew(count.id) else {
            tally.duplicates += 1
            return
        }
        guard CrashLimits.accepts(timestamp: count.startedAt, receivedAt: receivedAt) else {
            tally.lateSessions += 1
            return
        }
        guard take(.session, count.tally.sessions) else {
            tally.refusedSessions += count.tally.sessions
            return
        }
        tally.sessions += count.tally.sessions
        try add(
            count.tally, hourNumber: CrashFreeRate.hourNumber(of: count.startedAt),
            releaseID: try releaseID(count.release, seenAt: count.startedAt))
    }

    private mutating func begin(_ update: SessionUpdate) throws {
        guard SessionState.mayBegin(update, receivedAt: receivedAt) else {
            tally.lateSessions += 1
            return
        }
        guard take(.session) else {
            tally.refusedSessions += 1
            return
        }
        let (state, change) = SessionState.first(update)
        let hour = CrashFreeRate.hourNumber(of: update.startedAt)
        let release = try releaseID(update.release, seenAt: update.startedAt)
        try transaction.execute(
            """
            INSERT INTO crash_sessions (session_id, release_id, hour_number, received_at, status, has_errors)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .uuid(update.id), .integer(release), .integer(hour), .instant(receivedAt),
                .text(state.status.rawValue), .integer(state.hasErrors ? 1 : 0),
            ])
        tally.sessions += 1
        try add(change, hourNumber: hour, releaseID: release)
    }

    private func session(_ id: UUID) throws -> KnownSession? {
        try transaction.first(
            """
            SELECT s.id, r.id, s.hour_number, s.received_at, s.status, s.has_errors, coalesce(r.is_deleted, 0)
            FROM crash_sessions s LEFT JOIN crash_releases r ON r.id = s.release_id WHERE s.session_id = ?
            """, [.uuid(id)]
        ) { row in
            KnownSession(
                id: try row.integer(0), releaseID: try row.optionalInteger(1), isDeleted: try row.integer(6) == 1,
                hourNumber: try row.integer(2), receivedAt: try row.instant(3),
                state: SessionState(status: try row.word(4), hasErrors: try row.integer(5) == 1))
        }
    }

    private func add(_ tally: SessionTally, hourNumber: Int64, releaseID: Int64) throws {
        try transaction.execute(
            """
            INSERT INTO session_hours
                (hour_number, release_id, session_count, crashed_count, abnormal_count, errored_count)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (hour_number, release_id) DO UPDATE SET
                session_count = session_hours.session_count + excluded.session_count,
                crashed_count = session_hours.crashed_count + excluded.crashed_count,
                abnormal_count = session_hours.abnormal_count + excluded.abnormal_count,
                errored_count = session_hours.errored_count + excluded.errored_count
            """,
            [
                .integer(hourNumber), .integer(releaseID), .integer(tally.sessions), .integer(tally.crashed),
                .integer(tally.abnormal), .integer(tally.errored),
            ])
    }
}

extension CrashSubmission {
    /// Derives ids of session counts from the envelope's bytes, so that a resent envelope counts once. Without
    /// `sent_at`, identical envelopes may be distinct, and no ids are set.
    package mutating func nameAggregates(of envelope: Envelope, body: [UInt8]) {
        guard envelope.sentAt != nil, !counts.isEmpty else { return }
        let digest = SHA256.hash(of: body)
        for index in counts.indices {
            let bytes = SHA256.hash(of: digest + withUnsafeBytes(of: index) { Array($0) }).prefix(16)
            counts[index] = SessionCount(
                id: UUID(rawBytes: bytes), startedAt: counts[index].startedAt, release: counts[index].release,
                tally: counts[index].tally)
        }
    }
}
