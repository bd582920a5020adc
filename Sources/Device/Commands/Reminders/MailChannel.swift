import Cryptography
import DeviceWords
import Foundation
import Mail
import SubGuardDomain
import SubGuardEngine
import TextCoding

#if os(Linux)
    import Outbound
#endif

/// Sends reminders through a mail server that the environment names.
struct MailChannel {
    private let from: EmailMailbox
    private let to: EmailMailbox
    #if os(Linux)
        private let url: OutboundURL
        private let allowsPlain: Bool
        private let authorities: String?
    #endif

    init(_ environment: [String: String]) throws(ReminderDeliveryError) {
        #if os(Linux)
            let text = try Self.value("SUBGUARD_SMTP_URL", environment)
            guard let url = OutboundURL(text, schemes: MailSubmission.schemes, allowsCredentials: true) else {
                throw .invalid("SUBGUARD_SMTP_URL")
            }
            self.url = url
            allowsPlain = environment["SUBGUARD_SMTP_ALLOW_PLAIN"] == "true"
            authorities = environment["SUBGUARD_SMTP_CA_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        #endif
        to = try Self.mailbox("SUBGUARD_MAIL_TO", environment)
        from = try environment["SUBGUARD_MAIL_FROM"] == nil ? to : Self.mailbox("SUBGUARD_MAIL_FROM", environment)
    }

    private static func value(_ name: String, _ environment: [String: String]) throws(ReminderDeliveryError) -> String {
        guard let text = environment[name], !text.isEmpty else { throw .unset(name) }
        return text
    }

    private static func mailbox(
        _ name: String, _ environment: [String: String]
    ) throws(ReminderDeliveryError) -> EmailMailbox {
        guard let mailbox = EmailMailbox(try value(name, environment)) else { throw .invalid(name) }
        return mailbox
    }

    /// Sends one message with all of them. Returns once the server has accepted it.
    func send(_ due: [DueReminder], _ session: Session) throws(ReminderDeliveryError) {
        #if os(Linux)
            let subject = session.text("\(due.count) reminder from SubGuard|\(due.count) reminders from SubGuard")
            // A second attempt has the same id: where the first one did arrive, it is shown once.
            let id = SHA256.hash(of: due.map(\.id).joined(separator: "\n").utf8).prefix(16)
            let message = EmailMessage(
                from: from, to: [to], subject: subject, text: due.map(\.text).joined(separator: "\n"),
                id: Hexadecimal.text(id), sentAt: session.moment.now.secondsSinceEpoch)
            let mail = MailSubmission(
                url: url, from: from.address, to: [to.address], message: message.bytes, allowsPlain: allowsPlain)
            var limits = OutboundLimits()
            limits.totalMilliseconds = 30_000
            limits.certificateAuthorities = authorities
            do {
                // Only the user names the target.
                try mail.send(policy: TargetPolicy(allowsOwnNetworks: true), limits: limits, stop: OutboundStop())
            } catch {
                if case .failed(let reason, let status) = error {
                    // Without a status, no server has spoken.
                    throw status == 0 ? .unreachable(reason) : .unconfirmed(reason)
                }
                throw .refused("\(error)")
            }
        #else
            throw .unavailable
        #endif
    }
}
