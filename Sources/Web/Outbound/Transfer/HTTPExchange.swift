import CCurl
import Synchronization

/// One request over HTTP/1.1 to a server that the user chose: https to any address, also through a proxy of the
/// environment, or http to this machine without one.
package struct HTTPExchange: Sendable {
    /// The response with any status, decompressed; redirects are not followed.
    package struct Answer: Sendable {
        package let status: Int
        /// Names in lower case.
        package let fields: [String: String]
        package let body: [UInt8]
    }

    package static let schemes = ["http", "https"]

    package let url: OutboundURL
    package let method: String
    package let fields: [String: String]
    package let body: [UInt8]?

    package init(url: OutboundURL, method: String, fields: [String: String], body: [UInt8]?) {
        self.url = url
        self.method = method
        self.fields = fields
        self.body = body
    }

    /// Sends the request. Blocks until the response is complete or a limit is reached. Only a GET uses a connection of
    /// an earlier transfer: when such a connection turns out to be closed, libcurl repeats the request.
    package func send(
        on handles: TransferHandles, limits: OutboundLimits, stop: OutboundStop
    ) throws(OutboundError) -> Answer {
        guard fields.allSatisfy({ field in "\(field.key)\(field.value)".utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } })
        else { throw .notAllowed("a header field contains a control character") }
        let policy = url.scheme == "https" ? nil : TargetPolicy(allowsOwnNetworks: true)
        let transfer = try Transfer(
            to: url, policy: policy, limits: limits, stop: stop, upload: body ?? [], handles: handles)
        guard url.scheme == "https" || transfer.isLocal else {
            throw .notAllowed("without TLS only this machine is allowed")
        }
        transfer.givesDetails = true
        transfer.decodes = true
        transfer.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        transfer.set(CURLOPT_ACCEPT_ENCODING, "gzip")
        transfer.set(CURLOPT_MAXFILESIZE, limits.maximumAnswerBytes)
        transfer.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // The thread of a slow name resolution is not waited for.
        transfer.set(CURLOPT_QUICK_EXIT, 1)
        transfer.set(CURLOPT_FRESH_CONNECT, method == "GET" ? 0 : 1)
        // Without a value, libcurl leaves the field out that it would send of its own accord.
        var lines = ["Expect:"]
        if fields["Content-Type"] == nil { lines.append("Content-Type:") }
        transfer.set(CURLOPT_HTTPHEADER, lines + fields.map { "\($0.key): \($0.value)" })
        if let body = body ?? (method == "POST" ? [] : nil) {
            transfer.set(CURLOPT_POST, 1)
            transfer.set(CURLOPT_POSTFIELDSIZE, body.count)
        }
        transfer.set(CURLOPT_CUSTOMREQUEST, method)
        let status = try transfer.perform()
        return Answer(status: status, fields: transfer.fields, body: transfer.answer)
    }
}

/// Idle handles of libcurl. Transfers reuse their connections and TLS sessions.
package final class TransferHandles: Sendable {
    // proof: a handle is either here or with one transfer, which one thread uses.
    private struct Handle: @unchecked Sendable { let pointer: UnsafeMutableRawPointer }

    private let idle = Mutex<[Handle]>([])

    package init() {}

    deinit {
        for handle in idle.withLock({ $0 }) { curl_easy_cleanup(handle.pointer) }
    }

    /// Nil if libcurl has none.
    func take() -> UnsafeMutableRawPointer? {
        (idle.withLock { $0.popLast() })?.pointer ?? curl_easy_init()
    }

    func put(_ pointer: UnsafeMutableRawPointer) {
        curl_easy_reset(pointer)
        let handle = Handle(pointer: pointer)
        idle.withLock { $0.append(handle) }
    }
}
