import CCurl
import Glibc

/// One transfer by libcurl: without following redirects, and with a policy only to checked addresses, without a proxy.
///
/// The object lives as long as its handle and is used by one thread.
final class Transfer {
    private let handle: UnsafeMutableRawPointer
    private let address: OpaquePointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private let handles: TransferHandles
    /// Nil if any are allowed.
    private let addresses: Set<IPAddress>?
    private let maximumAnswerBytes: Int
    private let stop: OutboundStop
    private var upload: ArraySlice<UInt8>
    private(set) var answer: [UInt8] = []
    private(set) var isAnswerTooLarge = false
    /// Lines and bytes of the heads of an HTTP response so far.
    private var head = (lines: 0, bytes: 0)
    /// Of the body, in all heads of the transfer.
    private var codings = 0
    /// Whether errors are ``OutboundError/libcurl(_:_:certificate:)``.
    var givesDetails = false
    /// Whether a coding of the response was asked for.
    var decodes = false
    private let message: UnsafeMutablePointer<CChar>
    /// Whether ``refusal`` is set.
    var keepsReplies = false
    /// The lines of the last reply by which a mail server refused something, printable and at most 300 characters,
    /// joined by blanks. Its answer to the goodbye that follows is none.
    private(set) var refusal: String?
    /// The lines of a reply that is not complete.
    private var reply = ""

    private static let maximumHead = (lines: 1000, bytes: 131_072)

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Resolves and checks the host, once. Without a policy, any address and the proxies of the environment are
    /// allowed. Throws ``OutboundError``.
    init(
        to url: OutboundURL, policy: TargetPolicy?, limits: OutboundLimits, stop: OutboundStop, upload: [UInt8] = [],
        handles: TransferHandles = TransferHandles()
    ) throws(OutboundError) {
        var found: [IPAddress]?
        if let policy {
            let known = try Resolver.addresses(of: url.host)
            try policy.check(known, of: url.host)
            found = known
        }
        guard !stop.isStopped else { throw .stopped }
        guard Self.isReady, let address = curl_url() else {
            throw .failed("libcurl could not be initialised", status: 0)
        }
        guard curl_url_set(address, CURLUPART_URL, url.text, 0) == CURLUE_OK, let handle = handles.take() else {
            curl_url_cleanup(address)
            throw .failed("libcurl could not be initialised", status: 0)
        }
        self.address = address
        self.handle = handle
        self.handles = handles
        addresses = found.map { Set($0) }
        maximumAnswerBytes = limits.maximumAnswerBytes
        self.stop = stop
        self.upload = upload[...]
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        configure(url, limits, found)
    }

    deinit {
        handles.put(handle)
        message.deallocate()
        curl_url_cleanup(address)
        for list in lists { curl_slist_free_all(list) }
    }

    /// Whether all addresses are loopback addresses.
    var isLocal: Bool { addresses?.allSatisfy { $0.isIPv4 ? $0.bytes[0] == 127 : $0 == IPAddress("::1") } ?? false }

    /// Whether all addresses are of this machine or of private networks.
    var isOwnNetwork: Bool { addresses?.allSatisfy { AddressKind($0) == .ownNetwork } ?? false }

    var retryAfterSeconds: Int? {
        let seconds = subguard_curl_retry_after(handle)
        return seconds > 0 ? Int(clamping: seconds) : nil
    }

    func set(_ option: CURLoption, _ number: Int) {
        subguard_curl_set_number(handle, option, number)
    }

    func set(_ option: CURLoption, _ text: String) {
        subguard_curl_set_text(handle, option, text)
    }

    /// Replaces the path of the address.
    func setPath(_ path: String) { curl_url_set(address, CURLUPART_PATH, path, UInt32(CURLU_URLENCODE)) }

    func set(_ option: CURLoption, _ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines { list = curl_slist_append(list, line) ?? list }
        guard let list else { return }
        lists.append(list)
        subguard_curl_set_list(handle, option, list)
    }

    /// The header fields of the response, names in lower case; those of a name are joined by commas (RFC 9110
    /// section 5.3).
    var fields: [String: String] {
        var fields: [String: String] = [:]
        var last: UnsafeMutablePointer<curl_header>?
        while let next = curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, last) {
            let name = String(cString: next.pointee.name).lowercased()
            // libcurl leaves the end of the line in an empty value.
            let value = String(cString: next.pointee.value).prefix { $0 != "\r" }
            fields[name] = fields[name].map { "\($0), \(value)" } ?? String(value)
            last = next
        }
        return fields
    }

    /// Returns the last status of the peer. Throws ``OutboundError``.
    func perform() throws(OutboundError) -> Int {
        let code = curl_easy_perform(handle)
        let status = subguard_curl_status(handle)
        guard code == CURLE_OK else {
            if isAnswerTooLarge { throw .answerTooLarge }
            if code == CURLE_ABORTED_BY_CALLBACK, stop.isStopped { throw .stopped }
            let words = String(cString: curl_easy_strerror(code))
            guard givesDetails else { throw .failed(words, status: status) }
            let details = String(cString: message)
            throw .libcurl(
                code, details.isEmpty ? words : details, certificate: subguard_curl_certificate_fault(handle))
        }
        return status
    }

    private func configure(_ url: OutboundURL, _ limits: OutboundLimits, _ found: [IPAddress]?) {
        subguard_curl_set_address(handle, address)
        set(CURLOPT_PROTOCOLS_STR, url.scheme)
        set(CURLOPT_FOLLOWLOCATION, 0)
        // An empty string keeps libcurl from reading proxies from the environment.
        if found != nil { set(CURLOPT_PROXY, "") }
        subguard_curl_set_error_buffer(handle, message)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectMilliseconds)
        set(CURLOPT_TIMEOUT_MS, limits.totalMilliseconds)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = limits.certificateAuthorities { set(CURLOPT_CAINFO, file) }
        if let found, IPAddress(url.host) == nil {
            let list = found.map { $0.isIPv4 ? $0.description : "[\($0)]" }.joined(separator: ",")
            set(CURLOPT_RESOLVE, ["\(url.host):\(url.port):\(list)"])
        }
        subguard_curl_set_callbacks(
            handle, Unmanaged.passUnretained(self).toOpaque(),
            { bytes, size, count, context in Transfer.of(context)?.take(bytes, size * count) ?? 0 },
            { bytes, size, count, context in Transfer.of(context)?.give(bytes, size * count) ?? 0 },
            { context, _, _, _, _ in Transfer.of(context)?.stop.isStopped == false ? 0 : 1 },
            { context, _, address in Transfer.of(context)?.open(address) ?? -1 },
            { bytes, size, count, context in Transfer.of(context)?.note(bytes, size * count) ?? 0 })
    }

    /// The object passed to libcurl in ``configure(_:_:_:)``; it outlives its handle.
    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard answer.count + count <= maximumAnswerBytes else {
            isAnswerTooLarge = true
            return 0
        }
        answer.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    /// A line of a header or, in SMTP, of a reply: `250-SIZE`, and `250 OK` as the last one.
    private func note(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard keepsReplies else {
            head = (head.lines + 1, head.bytes + count)
            isAnswerTooLarge = head.lines > Self.maximumHead.lines || head.bytes > Self.maximumHead.bytes
            return isAnswerTooLarge || isStacked(UnsafeRawBufferPointer(start: bytes, count: count)) ? 0 : count
        }
        let line = UnsafeRawBufferPointer(start: bytes, count: count)
        let text = String(decoding: line.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: " ") }, as: UTF8.self)
        let words = text.split(separator: " ").joined(separator: " ")
        guard !words.isEmpty else { return count }
        reply = String((reply.isEmpty ? words : "\(reply) \(words)").prefix(300))
        guard line.count < 4 || line[3] != UInt8(ascii: "-") else { return count }
        if reply.hasPrefix("4") || reply.hasPrefix("5") { refusal = reply }
        reply = ""
        return count
    }

    /// Whether the field makes libcurl undo more than one coding of a body. It looks at the time limit between reads
    /// only, and layers of codings make hours of work of one read.
    private func isStacked(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon <= 20 else { return false }
        let value = {
            String(decoding: line[(colon + 1)...], as: UTF8.self).lowercased().split { ", \t\r\n".contains($0) }
        }
        switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
        // Where no coding was asked for, libcurl undoes none.
        case "content-encoding" where decodes:
            codings += value().count { $0 != "identity" }
            return codings > 1 || value().contains { $0 != "identity" && $0 != "gzip" && $0 != "x-gzip" }
        case "transfer-encoding": return value() != ["chunked"]
        default: return false
        }
    }

    private func give(_ bytes: UnsafeMutablePointer<CChar>?, _ room: Int) -> Int {
        let part = upload.prefix(room)
        UnsafeMutableRawBufferPointer(start: bytes, count: room).copyBytes(from: part)
        upload = upload.dropFirst(part.count)
        return part.count
    }

    /// The final check of a connection: no socket is opened for an unchecked address.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address else { return -1 }
        if let addresses {
            guard let peer = subguard_curl_peer(address), let known = IPAddress(peer), addresses.contains(known) else {
                return -1
            }
        }
        let entry = address.pointee
        return socket(entry.family, entry.socktype | Int32(SOCK_CLOEXEC.rawValue), entry.protocol)
    }
}
