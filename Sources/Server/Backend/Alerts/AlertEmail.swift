package import Mail
package import SubGuardDomain

/// The mail of an alert.
package enum AlertEmail {
    /// The message in ASCII, with CR LF line endings.
    package static func bytes(
        of delivery: AlertDelivery, from: EmailMailbox, to recipients: [EmailMailbox], sentAt: UTCInstant
    ) -> [UInt8] {
        let notice = AlertNotice(delivery)
        return EmailMessage(
            from: from, to: recipients, subject: notice.title, text: notice.sentence, id: delivery.id.lowercased,
            sentAt: sentAt.secondsSinceEpoch
        ).bytes
    }
}
