package import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

extension AlertStore {
    /// Adds a test message for each receiver of one channel, or of every configured channel, to the outbox.
    ///
    /// Throws ``BackendError/conflict(code:detail:)`` if the channel, or every channel, is not configured.
    package func sendTest(through channel: AlertChannel?, by actor: Actor) throws -> [AlertDelivery] {
        let chosen = targets.filter { channel == nil || $0.channel == channel }
        guard !chosen.isEmpty else {
            throw BackendError.conflict(
                detail: channel.map { "The channel \($0.rawValue) is not configured." }
                    ?? "No alert channel is configured.")
        }
        return try context.write(by: actor) { transaction in
            let ids = try chosen.map {
                try enqueue(.test, to: $0, isForced: true, at: transaction.now, in: transaction)
            }
            let deliveries = try ids.compactMap { try Self.find($0, in: transaction) }
            for delivery in deliveries {
                try Self.audit(.alertsTest, before: nil, after: delivery, in: transaction)
            }
            return deliveries
        }
    }

    /// Sends a delivery again, whatever its state, with the full number of attempts.
    ///
    /// Throws ``BackendError/notFound(what:)``, and ``BackendError/conflict(code:detail:)`` while it is being sent, if
    /// its channel is not configured here, or if its threshold was re-armed.
    @discardableResult
    package func resend(_ id: UUID, by actor: Actor) throws -> AlertDelivery {
        try context.write(by: actor) { transaction in
            let now = transaction.now
            let before = try Self.find(id, in: transaction).orNotFound("delivery")
            guard let target = try receiver(of: id, before.channel, in: transaction) else {
                throw BackendError.conflict(detail: "The channel \(before.channel.rawValue) is not configured.")
            }
            guard try !Self.isWithdrawn(id, in: transaction) else {
                throw BackendError.conflict(
                    detail: "The users who reached this threshold were discarded; it may fire once more.")
            }
            let changed = try transaction.execute(
                """
                UPDATE alert_deliveries SET state = 'pending', is_forced = 1, target = ?, earlier_attempts = attempts,
                    next_attempt_at = ?, delivered_at = NULL, last_error = NULL, lease_id = NULL, lease_until = NULL
                WHERE id = ? AND \(Self.isFree)
                """, [.text(target.label), .instant(now), .uuid(id)] + Self.valuesOfFree(at: now))
            guard changed == 1, let after = try Self.find(id, in: transaction) else {
                throw BackendError.conflict(detail: "The delivery is being sent at this moment.")
            }
            try Self.audit(.alertsResend, before: before, after: after, in: transaction)
            return after
        }
    }

    /// Who gets the delivery when it is sent again; nil if its channel is not configured here.
    private func receiver(
        of id: UUID, _ channel: AlertChannel, in session: any SQLSession
    ) throws -> AlertTarget? {
        let hash = try session.first("SELECT target_hash FROM alert_deliveries WHERE id = ?", [.uuid(id)]) {
            try $0.optionalBlob(0)
        }
        let ofChannel = targets.filter { $0.channel == channel }
        return ofChannel.first { $0.hash == hash } ?? ofChannel.first
    }

    private static func audit(
        _ action: AuditAction, before: AlertDelivery?, after: AlertDelivery, in transaction: AuditedTransaction
    ) throws {
        try transaction.audit(action, of: after.id, before: before.map(json), after: json(after))
    }

    private static func json(_ delivery: AlertDelivery) -> String {
        JSONWriter.text { writer in
            writer.field("channel", delivery.channel.rawValue)
            writer.field("state", delivery.state.rawValue)
            writer.field("attempts", delivery.attempts)
        }
    }
}

/// A receiver configured in this process, and whether it is in use.
package struct AlertChannelStatus: Sendable, Hashable {
    package let target: AlertTarget
    /// Nil while it is in use.
    package let disabledAt: UTCInstant?
    package let disabledReason: String?
}

extension AlertStore {
    func channels(_ session: any SQLSession) throws -> [AlertChannelStatus] {
        try targets.map { target in
            let disabled = try Self.disabled(target, in: session)
            return AlertChannelStatus(target: target, disabledAt: disabled?.at, disabledReason: disabled?.reason)
        }
    }

    func disabledReason(of target: AlertTarget, in session: any SQLSession) throws -> String? {
        try Self.disabled(target, in: session)?.reason
    }

    private static func disabled(
        _ target: AlertTarget, in session: any SQLSession
    ) throws -> (at: UTCInstant, reason: String)? {
        try session.first(
            "SELECT disabled_at, reason FROM alert_disabled_targets WHERE target_hash = ?", [.blob(target.hash)]
        ) { (at: try $0.instant(0), reason: try $0.text(1)) }
    }

    /// The condition for deliveries that `target` gets. The first receiver of a channel also gets those of receivers
    /// that are no longer configured.
    func addressed(to target: AlertTarget) -> (condition: String, values: [SQLValue]) {
        let ofChannel = targets.filter { $0.channel == target.channel }
        let channel = SQLValue.text(target.channel.rawValue)
        guard ofChannel.first == target else {
            return ("channel = ? AND target_hash = ?", [channel, .blob(target.hash)])
        }
        let others = ofChannel.dropFirst().map { SQLValue.blob($0.hash) }
        guard !others.isEmpty else { return ("channel = ?", [channel]) }
        let marks = others.map { _ in "?" }.joined(separator: ", ")
        return ("channel = ? AND (target_hash IS NULL OR target_hash NOT IN (\(marks)))", [channel] + others)
    }

    /// Disables a receiver that is gone, and enables it again after a success.
    func note(
        _ outcome: AlertOutcome, of target: AlertTarget, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws {
        switch outcome {
        case .delivered:
            try transaction.execute(
                "DELETE FROM alert_disabled_targets WHERE target_hash = ?", [.blob(target.hash)])
        case .channelGone(let reason):
            try transaction.execute(
                """
                INSERT INTO alert_disabled_targets (target_hash, disabled_at, reason) VALUES (?, ?, ?)
                ON CONFLICT (target_hash) DO UPDATE SET
                    disabled_at = excluded.disabled_at, reason = excluded.reason
                """, [.blob(target.hash), .instant(now), .text(reason)])
        case .failed, .refused, .interrupted: break
        }
    }
}
