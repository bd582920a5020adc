import Foundation
package import SubGuardDomain

/// The RFC 5322 message of an alert, in ASCII with CR LF line endings.
package enum EmailMessage {
    package static func text(
        of delivery: AlertDelivery, from: EmailMailbox, to recipients: [EmailMailbox], sentAt: UTCInstant
    ) -> [UInt8] {
        let notice = AlertNotice(delivery)
        // A line has at most 998 octets (RFC 5322 section 2.1.1).
        let isPlain =
            notice.sentence.utf8.count <= 900
            && (notice.title + notice.sentence).utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        let lines =
            [
                "Date: \(date(sentAt))",
                "From: \(from.headerValue)",
                // One per line, so that no line exceeds 998 octets.
                "To: \(recipients.map(\.headerValue).joined(separator: ",\r\n "))",
                "Subject: \(isPlain ? notice.title : EmailMailbox.encodedWords(notice.title))",
                // The same in every attempt, so that duplicates can be recognised.
                "Message-ID: <\(delivery.id.lowercased)@\(from.domain)>",
                "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: \(isPlain ? "7bit" : "base64")",
                "Auto-Submitted: auto-generated",
                "",
                isPlain ? notice.sentence : base64(notice.sentence),
            ]
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// Lines of 76 characters, as RFC 2045 section 6.8 demands.
    private static func base64(_ text: String) -> String {
        let options: Data.Base64EncodingOptions = [
            .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ]
        return Data(text.utf8).base64EncodedString(options: options)
    }

    /// RFC 5322 section 3.3, e.g. `Fri, 20 Nov 2026 10:00:00 +0000`.
    static func date(_ instant: UTCInstant) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // `YYYY-MM-DDTHH:MM:SS`, optionally with a fraction.
        let parts = instant.rfc3339.split { "-T:.Z".contains($0) }
        guard parts.count >= 6, let month = Int(parts[1]), (1...12).contains(month) else { return instant.rfc3339 }
        let weekday = ((instant.day.daysSinceEpoch % 7) + 7) % 7
        let day = "\(days[weekday]), \(parts[2]) \(months[month - 1]) \(parts[0])"
        return "\(day) \(parts[3]):\(parts[4]):\(parts[5]) +0000"
    }
}
