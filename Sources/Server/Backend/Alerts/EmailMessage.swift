import Foundation
package import SubGuardDomain

/// The message of an alert after RFC 5322, ASCII with CR LF throughout.
package enum EmailMessage {
    package static func text(
        of delivery: AlertDelivery, from: EmailMailbox, to recipients: [EmailMailbox], sentAt: UTCInstant
    ) -> [UInt8] {
        let notice = AlertNotice(delivery)
        let lines =
            [
                "Date: \(date(sentAt))",
                "From: \(from.headerValue)",
                // One a line, so that no line grows over 998 octets.
                "To: \(recipients.map(\.headerValue).joined(separator: ",\r\n "))",
                "Subject: \(notice.title)",
                // The same at every attempt: a mailbox that got it twice can tell.
                "Message-ID: <\(delivery.id.lowercased)@\(from.domain)>",
                "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: 7bit",
                "Auto-Submitted: auto-generated",
                "",
                notice.sentence,
            ]
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// RFC 5322 section 3.3, e.g. `Fri, 20 Nov 2026 10:00:00 +0000`.
    static func date(_ instant: UTCInstant) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // `YYYY-MM-DDTHH:MM:SS` and more.
        let parts = instant.rfc3339.split { "-T:.Z".contains($0) }
        guard parts.count >= 6, let month = Int(parts[1]), (1...12).contains(month) else { return instant.rfc3339 }
        let weekday = ((instant.day.daysSinceEpoch % 7) + 7) % 7
        let day = "\(days[weekday]), \(parts[2]) \(months[month - 1]) \(parts[0])"
        return "\(day) \(parts[3]):\(parts[4]):\(parts[5]) +0000"
    }
}
