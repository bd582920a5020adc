import Foundation

/// An RFC 5322 message of plain text.
package struct EmailMessage: Sendable {
    package var from: EmailMailbox
    package var to: [EmailMailbox]
    /// One line.
    package var subject: String
    /// Lines end with LF.
    package var text: String
    /// The left side of the `Message-ID`; the right one is the sender's domain. The same in every attempt, so that
    /// duplicates can be recognised.
    package var id: String
    /// Seconds since 1970.
    package var sentAt: Int64

    package init(
        from: EmailMailbox, to: [EmailMailbox], subject: String, text: String, id: String, sentAt: Int64
    ) {
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.id = id
        self.sentAt = sentAt
    }

    /// The message in ASCII, with CR LF line endings.
    package var bytes: [UInt8] {
        // A line has at most 998 octets (RFC 5322 section 2.1.1).
        let isPlain =
            text.utf8.count <= 900 && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A }
        // With a line end it would add a field, and programs would decode what looks like an encoded word.
        let hasPlainSubject =
            subject.utf8.count <= 900 && subject.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
            && !subject.contains("=?")
        let lines =
            [
                "Date: \(Self.date(sentAt))",
                "From: \(from.headerValue)",
                // One per line, so that no line exceeds 998 octets.
                "To: \(to.map(\.headerValue).joined(separator: ",\r\n "))",
                "Subject: \(hasPlainSubject ? subject : EmailMailbox.encodedWords(subject))",
                "Message-ID: <\(id)@\(from.domain)>",
                "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: \(isPlain ? "7bit" : "base64")",
                "Auto-Submitted: auto-generated",
                "",
                isPlain ? text.replacing("\n", with: "\r\n") : Self.base64(text),
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
    private static func date(_ seconds: Int64) -> String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        let two = { (number: Int32) in (number < 10 ? "0" : "") + "\(number)" }
        let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(day) \(parts.tm_year + 1900) \(clock) +0000"
    }
}

/// An RFC 5322 address in the usual forms: `alerts@example.org` or `SubGuard <alerts@example.org>`.
package struct EmailMailbox: Sendable, Hashable {
    package let address: String
    package let name: String?

    /// Nil unless it is a single ASCII address; quoted local parts and address literals are not supported.
    package init?(_ text: String) {
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return nil }
        var address = text.trimmingCharacters(in: .whitespaces)
        var name: String?
        if address.hasSuffix(">"), let open = address.lastIndex(of: "<") {
            name = String(address[..<open]).trimmingCharacters(in: .whitespaces)
            address = String(address[address.index(after: open)...].dropLast())
        }
        guard Self.isAddress(address) else { return nil }
        self.address = address
        self.name = name?.isEmpty == false ? name : nil
    }

    package var domain: String { String(address.split(separator: "@").last ?? "localhost") }

    /// The value of a header field; a name that is not plain ASCII is encoded as in RFC 2047.
    var headerValue: String {
        guard let name else { return address }
        let isPlain = name.utf8.allSatisfy { byte in
            byte == 0x20 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        guard isPlain, name.utf8.count <= 600 else { return "\(Self.encodedWords(name))\r\n <\(address)>" }
        return "\(name) <\(address)>"
    }

    /// Words of at most 64 characters, so that a line with one has at most 76 with the name of the field; no character
    /// is split between two of them.
    static func encodedWords(_ text: String) -> String {
        var chunks: [[UInt8]] = [[]]
        for character in text.unicodeScalars {
            let bytes = Array(String(character).utf8)
            if chunks[chunks.count - 1].count + bytes.count > 39 { chunks.append([]) }
            chunks[chunks.count - 1] += bytes
        }
        return chunks.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// Whether both sides are dot-atoms as in RFC 5321 section 4.1.2.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), text.utf8.count <= 254 else { return false }
        let atoms = parts.flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
        return atoms.allSatisfy { atom in
            !atom.isEmpty
                && atom.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                        || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
                }
        }
    }
}
