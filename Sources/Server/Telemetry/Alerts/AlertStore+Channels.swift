import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

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
