import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// A channel configured in this process, and whether it is in use.
package struct AlertChannelStatus: Sendable, Hashable {
    package let target: AlertTarget
    /// Nil while the channel is in use.
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
            "SELECT disabled_at, reason FROM alert_disabled_channels WHERE channel = ? AND target_hash = ?",
            [.text(target.channel.rawValue), .blob(target.hash)]
        ) { (at: try $0.instant(0), reason: try $0.text(1)) }
    }

    /// Disables a channel whose target is gone, and enables it again after a success.
    func noteChannel(
        _ channel: AlertChannel, _ outcome: AlertOutcome, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws {
        guard let target = targets.first(where: { $0.channel == channel }) else { return }
        switch outcome {
        case .delivered:
            try transaction.execute(
                "DELETE FROM alert_disabled_channels WHERE channel = ?", [.text(channel.rawValue)])
        case .channelGone(let reason):
            try transaction.execute(
                """
                INSERT INTO alert_disabled_channels (channel, target_hash, disabled_at, reason) VALUES (?, ?, ?, ?)
                ON CONFLICT (channel) DO UPDATE SET target_hash = excluded.target_hash,
                    disabled_at = excluded.disabled_at, reason = excluded.reason
                """, [.text(channel.rawValue), .blob(target.hash), .instant(now), .text(reason)])
        case .failed, .refused, .interrupted: break
        }
    }
}
