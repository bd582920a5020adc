import CCurl

/// One message handed to a mail server.
package struct MailSubmission: Sendable {
    package static let schemes = ["smtp", "smtps"]

    /// User and password, percent-encoded, may stand in it.
    package let url: OutboundURL
    package let from: String
    package let to: [String]
    /// With CR LF at each line's end.
    package let message: [UInt8]
    /// Whether `smtp://` may go on without STARTTLS where the server does not offer it. Servers on this machine always may.
    package let allowsPlain: Bool

    package init(url: OutboundURL, from: String, to: [String], message: [UInt8], allowsPlain: Bool) {
        self.url = url
        self.from = from
        self.to = to
        self.message = message
        self.allowsPlain = allowsPlain
    }

    /// Returns when the server has taken the message for every recipient.
    package func send(policy: TargetPolicy, limits: OutboundLimits, stop: OutboundStop) throws(OutboundError) {
        let transfer = try Transfer(to: url, policy: policy, limits: limits, stop: stop, upload: message)
        let tls = allowsPlain || transfer.isLocal ? CURLUSESSL_TRY : CURLUSESSL_ALL
        transfer.set(CURLOPT_USE_SSL, Int(tls.rawValue))
        transfer.set(CURLOPT_UPLOAD, 1)
        transfer.set(CURLOPT_MAIL_FROM, "<\(from)>")
        transfer.set(CURLOPT_MAIL_RCPT, to.map { "<\($0)>" })
        _ = try transfer.perform()
    }
}
