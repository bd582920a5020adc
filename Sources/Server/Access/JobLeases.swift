import Dispatch
import Foundation
package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Recurring jobs that one server runs for all. The schedule is in the database, so it survives restarts and applies to
/// every server.
package struct JobLeases: Sendable {
    private let context: BackendContext

    /// How long a run may take before other servers assume that its process died, unless the job has another limit.
    /// Jobs must tolerate being started again.
    package static let leaseSeconds: Int64 = 900
    /// Default delay after a failed run; at most the job's interval.
    package static let retrySeconds: Int64 = 60
    /// How far apart the clocks of servers may be. A later time than that and a pause explain is of a wrong clock.
    package static let mostClockDifferenceSeconds: Int64 = 300

    package init(context: BackendContext) { self.context = context }

    /// Runs `work` if it is due and no other server runs it. Returns whether it ran. Rethrows an error of `work`, which
    /// is then retried after `retrySeconds`.
    @discardableResult
    package func run(
        _ job: String, everySeconds interval: Int64, leaseSeconds: Int64 = leaseSeconds,
        retrySeconds: Int64 = retrySeconds, _ work: () throws -> Void
    ) throws -> Bool {
        guard let lease = try claim(job, seconds: leaseSeconds, interval: interval) else { return false }
        do {
            try work()
        } catch {
            try? release(job, lease, dueIn: min(interval, retrySeconds), hasFailed: true)
            throw error
        }
        try release(job, lease, dueIn: interval)
        return true
    }

    /// How long another process waits for one that holds a job and died.
    package static let heldSeconds: Int64 = 120

    /// A job that one process holds while it works.
    package struct Hold: Sendable {
        fileprivate let job: String
        fileprivate let lease: UUID

        /// Whether no other process can have taken the job over since. To be asked within the transaction that makes
        /// the work count, because renewing fails while the database is away.
        package func stands(at now: UTCInstant, in session: any SQLSession) throws -> Bool {
            try session.exists(
                "SELECT 1 FROM job_leases WHERE job = ? AND lease_id = ? AND lease_until > ?",
                [.text(job), .uuid(lease), .instant(now)])
        }
    }

    /// Runs `work` at once, unless another process holds the job: then it returns nil. `work` may take any time; the
    /// lease is renewed meanwhile.
    package func hold<Result>(_ job: String, _ work: (Hold) throws -> Result) throws -> Result? {
        guard let lease = try claim(job, seconds: Self.heldSeconds, interval: 0) else { return nil }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + .seconds(30), repeating: .seconds(30))
        timer.setEventHandler { [self] in try? renew(job, lease) }
        timer.resume()
        defer {
            timer.cancel()
            try? forget(job, lease)
        }
        return try work(Hold(job: job, lease: lease))
    }

    private func renew(_ job: String, _ lease: UUID) throws {
        let end = context.now().adding(seconds: Self.heldSeconds)
        try context.store.write { transaction in
            _ = try transaction.execute(
                "UPDATE job_leases SET lease_until = ? WHERE job = ? AND lease_id = ?",
                [.instant(end), .text(job), .uuid(lease)])
        }
    }

    /// Takes a job that is no recurring one from the schedule.
    private func forget(_ job: String, _ lease: UUID) throws {
        try context.store.write { transaction in
            _ = try transaction.execute(
                "DELETE FROM job_leases WHERE job = ? AND lease_id = ?", [.text(job), .uuid(lease)])
        }
    }

    /// Nil if the job is not due or already running.
    private func claim(_ job: String, seconds: Int64, interval: Int64) throws -> UUID? {
        let now = context.now()
        guard try context.store.read({ try Self.isFree(job, interval, at: now, in: $0) }) else { return nil }
        let lease = context.makeID()
        return try context.store.write { transaction in
            guard try Self.isFree(job, interval, at: now, in: transaction) else { return nil }
            try transaction.execute(
                """
                INSERT INTO job_leases (job, due_at, lease_id, lease_until) VALUES (?, ?, ?, ?)
                ON CONFLICT (job) DO UPDATE SET lease_id = excluded.lease_id, lease_until = excluded.lease_until
                """,
                [
                    .text(job), .instant(now), .uuid(lease),
                    .instant(now.adding(seconds: seconds)),
                ])
            return lease
        }
    }

    private static func isFree(
        _ job: String, _ interval: Int64, at now: UTCInstant, in session: any SQLSession
    ) throws -> Bool {
        let row = try session.first("SELECT due_at, lease_until FROM job_leases WHERE job = ?", [.text(job)]) {
            (dueAt: try $0.instant(0), leaseUntil: try $0.optionalInstant(1))
        }
        guard let row else { return true }
        // A clock that was ahead must not delay a job.
        if let leaseUntil = row.leaseUntil {
            return leaseUntil <= now || leaseUntil > now.adding(seconds: 2 * leaseSeconds)
        }
        return row.dueAt <= now || row.dueAt > now.adding(seconds: interval + mostClockDifferenceSeconds)
    }

    /// Does nothing if another server has taken over the lease.
    private func release(_ job: String, _ lease: UUID, dueIn seconds: Int64, hasFailed: Bool = false) throws {
        let now = context.now()
        let due = now.adding(seconds: seconds)
        try context.store.write { transaction in
            _ = try transaction.execute(
                """
                UPDATE job_leases SET due_at = ?, lease_id = NULL, lease_until = NULL, failed_at = ?
                WHERE job = ? AND lease_id = ?
                """, [.instant(due), hasFailed ? .instant(now) : .null, .text(job), .uuid(lease)])
        }
    }

    /// A job in the schedule of all servers.
    package struct Standing: Sendable, Hashable {
        package let job: String
        package let dueAt: UTCInstant
        /// Whether a server runs it.
        package let isRunning: Bool
        /// When its last run failed; nil if it did not.
        package let failedAt: UTCInstant?
    }

    /// The jobs that have run at least once, by name.
    package func list() throws -> [Standing] {
        try context.read { session, now in
            let sql = "SELECT job, due_at, lease_until, failed_at FROM job_leases ORDER BY job"
            return try session.query(sql, []) { row in
                Standing(
                    job: try row.text(0), dueAt: try row.instant(1),
                    isRunning: try row.optionalInstant(2).map { $0 > now } ?? false,
                    failedAt: try row.optionalInstant(3))
            }
        }
    }
}
