import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

extension AlertStore {
    /// The lease of an attempt, including name resolution, sending and storing the result. After it another process may
    /// retry.
    package static let leaseSeconds: Int64 = 30

    /// Claims the longest overdue delivery to the receiver; nil if none is due. Deliveries to a disabled receiver are
    /// given up unless they were requested by a person.
    package func claim(_ target: AlertTarget) throws -> AlertLease? {
        while try isAnyDue(target) {
            let claimed = try context.store.write { transaction in try claim(target, in: transaction) }
            guard let claimed else { return nil }
            switch claimed {
            case .lease(let lease): return lease
            case .givenUp: continue
            }
        }
        return nil
    }

    /// Stores the result of an attempt. Returns the new state; nil if the lease expired and another process has claimed
    /// the delivery.
    @discardableResult
    package func finish(_ lease: AlertLease, _ outcome: AlertOutcome) throws -> AlertDelivery.State? {
        try context.write { transaction, now in
            let state = state(after: outcome, attempt: lease.attempt)
            let next = state == .retrying ? nextAttempt(after: outcome, lease, now) : nil
            let changed = try transaction.execute(
                """
                UPDATE alert_deliveries SET state = ?, next_attempt_at = ?, last_error = ?, delivered_at = ?,
                    attempts = attempts - ?, lease_id = NULL, lease_until = NULL
                WHERE id = ? AND lease_id = ?
                """,
                [
                    .text((state ?? lease.delivery.state).rawValue),
                    .instant(orNull: state == nil ? now : next),
                    .text(orNull: state == nil ? lease.delivery.lastError : outcome.reason),
                    .instant(orNull: state == .delivered ? now : nil), .integer(state == nil ? 1 : 0),
                    .uuid(lease.delivery.id), .uuid(lease.id),
                ])
            guard changed == 1 else { return nil }
            try note(outcome, of: lease.target, at: now, in: transaction)
            return state ?? lease.delivery.state
        }
    }

    @discardableResult
    func enqueue(
        _ subject: AlertDelivery.Subject, to target: AlertTarget, isForced: Bool, at now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws -> UUID {
        let id = context.makeID()
        var numbers: (users: Int64?, userCount: Int64?) = (nil, nil)
        var storage: StorageNotice?
        var notice: String?
        switch subject {
        case .threshold(let users, let userCount): numbers = (users, userCount)
        case .storage(let notice): storage = notice
        case .rule(let rule): notice = rule.json
        case .digest(let digest): notice = digest.json
        case .test: break
        }
        try transaction.execute(
            """
            INSERT INTO alert_deliveries (id, kind, user_threshold, user_count, channel, target, state, is_forced,
                attempts, earlier_attempts, created_at, next_attempt_at, storage_level, storage_reason, storage_bytes,
                storage_limit_bytes, notice, target_hash)
            VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .uuid(id), .text(subject.kind.rawValue), .integer(orNull: numbers.users),
                .integer(orNull: numbers.userCount), .text(target.channel.rawValue), .text(target.label),
                .integer(isForced ? 1 : 0), .instant(now), .instant(now), .text(orNull: storage?.level.rawValue),
                .text(orNull: storage.map { $0.isDisk ? "disk" : "store" }), .integer(orNull: storage?.bytes),
                .integer(orNull: storage?.limitBytes), .text(orNull: notice), .blob(target.hash),
            ])
        return id
    }

    /// Adds a message for each configured receiver.
    func enqueue(
        _ subject: AlertDelivery.Subject, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws {
        for target in targets { try enqueue(subject, to: target, isForced: false, at: now, in: transaction) }
    }

    private enum Claimed {
        case lease(AlertLease)
        case givenUp
    }

    /// A clock that was ahead must not delay an attempt: the first is always due, another one also if the last lies in
    /// the future, and a lease that is too long has ended.
    private static let isDue =
        "next_attempt_at IS NOT NULL AND (next_attempt_at <= ? OR state = 'pending' OR last_attempt_at > ?) "
        + "AND \(isFree)"
    static let isFree = "(lease_until IS NULL OR lease_until <= ? OR lease_until > ?)"

    private static func valuesOfDue(at now: UTCInstant) -> [SQLValue] {
        [.instant(now), .instant(now.adding(seconds: JobLeases.mostClockDifferenceSeconds))]
            + valuesOfFree(at: now)
    }

    static func valuesOfFree(at now: UTCInstant) -> [SQLValue] {
        [.instant(now), .instant(now.adding(seconds: 2 * leaseSeconds))]
    }

    private func isAnyDue(_ target: AlertTarget) throws -> Bool {
        let now = context.now()
        let (condition, values) = addressed(to: target)
        return try context.store.read { session in
            try session.exists(
                "SELECT 1 FROM alert_deliveries WHERE \(condition) AND \(Self.isDue) LIMIT 1",
                values + Self.valuesOfDue(at: now))
        }
    }

    private func claim(_ target: AlertTarget, in transaction: any SQLTransaction) throws -> Claimed? {
        let now = context.now()
        let leaseID = context.makeID()
        let (condition, values) = addressed(to: target)
        // SQLite has one writer at a time, so no row can be locked by another.
        let locking = context.store.dialect == .postgres ? "FOR UPDATE SKIP LOCKED" : ""
        let row = try transaction.first(
            """
            UPDATE alert_deliveries SET attempts = attempts + 1, last_attempt_at = ?, lease_id = ?, lease_until = ?
            WHERE id IN (
                SELECT id FROM alert_deliveries
                WHERE \(condition) AND \(Self.isDue)
                ORDER BY next_attempt_at, id LIMIT 1 \(locking)
            )
            RETURNING \(Self.columns), earlier_attempts, is_forced
            """,
            [
                .instant(now), .uuid(leaseID),
                .instant(now.adding(seconds: Self.leaseSeconds)),
            ] + values + Self.valuesOfDue(at: now)
        ) { (delivery: try Self.delivery($0), earlier: try $0.integer(18), isForced: try $0.integer(19) == 1) }
        guard let row else { return nil }
        if !row.isForced, let reason = try disabledReason(of: target, in: transaction) {
            try transaction.execute(
                """
                UPDATE alert_deliveries SET state = 'dead', next_attempt_at = NULL, last_error = ?,
                    attempts = attempts - 1, lease_id = NULL, lease_until = NULL
                WHERE id = ?
                """, [.text("not tried: the channel is disabled (\(reason))"), .uuid(row.delivery.id)])
            return .givenUp
        }
        return .lease(
            AlertLease(
                delivery: row.delivery, attempt: row.delivery.attempts - Int(row.earlier), target: target, id: leaseID))
    }

    /// Nil if the attempt does not count.
    private func state(after outcome: AlertOutcome, attempt: Int) -> AlertDelivery.State? {
        switch outcome {
        case .delivered: .delivered
        case .failed: attempt >= maximumAttempts ? .dead : .retrying
        case .refused, .channelGone: .dead
        case .interrupted: nil
        }
    }

    private func nextAttempt(after outcome: AlertOutcome, _ lease: AlertLease, _ now: UTCInstant) -> UTCInstant {
        var asked: Int?
        if case .failed(_, let seconds) = outcome { asked = seconds }
        let pause = AlertBackoff.milliseconds(
            afterAttempt: lease.attempt, retryAfterSeconds: asked, random: context.random())
        return now.adding(milliseconds: pause)
    }
}

extension AlertOutcome {
    /// Nil after a success.
    package var reason: String? {
        switch self {
        case .delivered, .interrupted: nil
        case .failed(let reason, _), .refused(let reason), .channelGone(let reason): reason
        }
    }
}
