import CCurl

/// One POST over HTTP/1.1.
package struct HTTPPost: Sendable {
    /// The response with any status; redirects are not followed.
    package struct Answer: Sendable {
        package let status: Int
        package let body: [UInt8]
        package let retryAfterSeconds: Int?

        package init(status: Int, body: [UInt8], retryAfterSeconds: Int?) {
            self.status = status
            self.body = body
            self.retryAfterSeconds = retryAfterSeconds
        }
    }

    package static let schemes = ["http", "https"]

    package let url: OutboundURL
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]
    /// Whether TLS is required, except on this machine.
    package var needsTLS = false
    /// Whether without TLS only this machine and private networks are allowed.
    package var needsOwnNetwork = false

    package init(url: OutboundURL, fields: [(name: String, value: String)], body: [UInt8]) {
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// Sends the request. Blocks until the response is complete or a limit is reached.
    package func send(
        policy: TargetPolicy, limits: OutboundLimits, stop: OutboundStop
    ) throws(OutboundError) -> Answer {
        let transfer = try Transfer(to: url, policy: policy, limits: limits, stop: stop, upload: body)
        guard !needsTLS || url.scheme == "https" || transfer.isLocal else {
            throw .notAllowed("without TLS only this machine is allowed")
        }
        guard !needsOwnNetwork || url.scheme == "https" || transfer.isOwnNetwork else {
            throw .notAllowed("without TLS only this machine and private networks are allowed")
        }
        transfer.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        transfer.set(CURLOPT_HTTPHEADER, fields.map { "\($0.name): \($0.value)" } + ["User-Agent: SubGuard"])
        transfer.set(CURLOPT_POST, 1)
        transfer.set(CURLOPT_POSTFIELDSIZE, body.count)
        let status = try transfer.perform()
        return Answer(status: status, body: transfer.answer, retryAfterSeconds: transfer.retryAfterSeconds)
    }
}

/// One GET over HTTP/1.1. TLS is required except on this machine.
package struct HTTPGet: Sendable {
    package static let schemes = ["http", "https"]

    package let url: OutboundURL
    /// Header fields besides the usual ones.
    package let fields: [(name: String, value: String)]

    /// The media types that are understood.
    package let accept: String

    package init(
        url: OutboundURL, fields: [(name: String, value: String)] = [], accept: String = "application/json"
    ) {
        self.url = url
        self.fields = fields
        self.accept = accept
    }

    /// Sends the request. Blocks until the response is complete or a limit is reached. Returns responses of any status;
    /// redirects are not followed.
    package func send(
        policy: TargetPolicy, limits: OutboundLimits, stop: OutboundStop
    ) throws(OutboundError) -> HTTPPost.Answer {
        let transfer = try Transfer(to: url, policy: policy, limits: limits, stop: stop)
        guard url.scheme == "https" || transfer.isLocal else {
            throw .notAllowed("without TLS only this machine is allowed")
        }
        transfer.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        transfer.set(
            CURLOPT_HTTPHEADER,
            ["Accept: \(accept)", "User-Agent: SubGuard"] + fields.map { "\($0.name): \($0.value)" })
        let status = try transfer.perform()
        return HTTPPost.Answer(
            status: status, body: transfer.answer, retryAfterSeconds: transfer.retryAfterSeconds)
    }
}

/// One message for a mail server.
package struct MailSubmission: Sendable {
    package static let schemes = ["smtp", "smtps"]

    /// May contain a percent-encoded user and password.
    package let url: OutboundURL
    package let from: String
    package let to: [String]
    /// Lines end with CR LF.
    package let message: [UInt8]
    /// Whether `smtp://` may be used without STARTTLS if the server does not offer it. Always allowed for servers on
    /// this machine.
    package let allowsPlain: Bool
    /// The name with which the client greets the server (EHLO); nil for that of this machine. A server may refuse a
    /// name that is not fully qualified (RFC 5321 section 4.1.1.1).
    package var greeting: String?

    package init(url: OutboundURL, from: String, to: [String], message: [UInt8], allowsPlain: Bool) {
        self.url = url
        self.from = from
        self.to = to
        self.message = message
        self.allowsPlain = allowsPlain
    }

    /// Returns when the server has accepted the message for every recipient. Throws ``OutboundError``, a refusal with
    /// the server's own words.
    package func send(policy: TargetPolicy, limits: OutboundLimits, stop: OutboundStop) throws(OutboundError) {
        let transfer = try Transfer(to: url, policy: policy, limits: limits, stop: stop, upload: message)
        let tls = allowsPlain || transfer.isLocal ? CURLUSESSL_TRY : CURLUSESSL_ALL
        transfer.set(CURLOPT_USE_SSL, Int(tls.rawValue))
        transfer.set(CURLOPT_UPLOAD, 1)
        transfer.set(CURLOPT_MAIL_FROM, "<\(from)>")
        transfer.set(CURLOPT_MAIL_RCPT, to.map { "<\($0)>" })
        // libcurl takes the name from the path.
        if let greeting { transfer.setPath("/" + greeting) }
        transfer.keepsReplies = true
        do throws(OutboundError) {
            _ = try transfer.perform()
        } catch {
            guard case .failed(_, let status) = error, status >= 400, let reply = transfer.refusal else {
                throw error
            }
            throw .replied(reply, status: status)
        }
    }
}
