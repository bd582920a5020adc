package import HTTPServer
import HTTPWire
import Synchronization

/// Determines the client of a request: the peer or, behind trusted proxies, the last untrusted address they report.
package struct ClientAddress: Sendable {
    /// The field in which trusted proxies name the client, by its name.
    enum Header: String, CaseIterable {
        /// `X-Forwarded-For` or `Forwarded`, whichever the proxy writes.
        case automatic = "auto"
        case forwardedFor = "X-Forwarded-For"
        case forwarded = "Forwarded"
        case realIP = "X-Real-IP"
        case connectingIP = "CF-Connecting-IP"
    }

    private let trusted: [AddressRange]
    private let header: Header
    private let writers = ForwardedWriters()

    init(trustedProxies: [AddressRange], header: Header = .automatic) {
        trusted = trustedProxies
        self.header = header
    }

    /// Returns the peer if it is no trusted proxy, or if the proxy's field is malformed.
    package func of(_ request: Request) -> SocketAddress {
        guard !trusted.isEmpty, isTrusted(request.peer) else { return request.peer }
        let head = request.head
        return switch header {
        case .automatic: detected(head, of: request.peer)
        case .forwardedFor: client(ForwardedHops.read(forwardedFor: head)) ?? request.peer
        case .forwarded: client(ForwardedHops.read(forwarded: head)) ?? request.peer
        case .realIP: ForwardedHops.single(head.values(of: .realIP)) ?? request.peer
        case .connectingIP: ForwardedHops.single(head.values(of: .connectingIP)) ?? request.peer
        }
    }

    /// A proxy that writes one of `X-Forwarded-For` and `Forwarded` passes on the other one as the client sent it.
    /// `X-Forwarded-For` counts, unless the proxy has sent a request without it: then it writes `Forwarded`.
    private func detected(_ head: RequestHead, of peer: SocketAddress) -> SocketAddress {
        switch (head.contains(.forwarded), head.contains(.forwardedFor)) {
        case (false, false): return peer
        case (false, true):
            writers.note(peer, writesForwarded: false)
            return client(ForwardedHops.read(forwardedFor: head)) ?? peer
        case (true, false):
            writers.note(peer, writesForwarded: true)
            return client(ForwardedHops.read(forwarded: head)) ?? peer
        case (true, true):
            let hops =
                writers.writeForwarded(peer)
                ? ForwardedHops.read(forwarded: head) : ForwardedHops.read(forwardedFor: head)
            return client(hops) ?? peer
        }
    }

    /// The last hop that is not a trusted proxy; earlier hops may be forged.
    private func client(_ hops: [SocketAddress?]) -> SocketAddress? {
        for hop in hops.reversed() {
            guard let hop else { return nil }
            if !isTrusted(hop) { return hop }
        }
        return hops.first ?? nil
    }

    /// Whether a proxy, trusted or not, passes the request on: it adds a field that the client cannot take away.
    static func isProxied(_ head: RequestHead) -> Bool {
        let names: [KnownField] = [.forwardedFor, .forwarded, .forwardedProto, .realIP, .connectingIP]
        return names.contains { head.contains($0) }
    }

    package func isTrusted(_ address: SocketAddress) -> Bool { trusted.contains { $0.contains(address) } }
}

/// Which trusted proxies write `Forwarded` and not `X-Forwarded-For`. A client behind a proxy of the other kind cannot
/// make it one of them, because that proxy adds its field to every request. Nor can another program on the proxy's
/// machine, whose requests come from the same address: once a request had `X-Forwarded-For` alone, the address stays of
/// that kind.
private final class ForwardedWriters: Sendable {
    private let proxies = Mutex<[SocketAddress: Bool]>([:])
    /// Far more than there are proxies.
    private static let most = 1024

    func note(_ proxy: SocketAddress, writesForwarded: Bool) {
        proxies.withLock { proxies in
            guard proxies[proxy] != nil || proxies.count < Self.most else { return }
            proxies[proxy] = writesForwarded && proxies[proxy] ?? true
        }
    }

    func writeForwarded(_ proxy: SocketAddress) -> Bool { proxies.withLock { $0[proxy] ?? false } }
}

/// The addresses that a request passed through, nearest last, as reported by proxies. Nil stands for an unknown
/// address: `unknown`, an obfuscated name (RFC 7239 section 6.3) or an invalid value.
package enum ForwardedHops {
    /// De-facto standard `X-Forwarded-For: client, proxy`.
    static func read(forwardedFor head: RequestHead) -> [SocketAddress?] {
        head.values(of: .forwardedFor).flatMap { parts(of: $0) }.map { address(String(trimmed($0))) }
    }

    /// `Forwarded: for=client;proto=https, for=proxy` (RFC 7239 section 4).
    static func read(forwarded head: RequestHead) -> [SocketAddress?] {
        head.values(of: .forwarded).flatMap { value -> [SocketAddress?] in
            guard let elements = split(value[...], at: ",") else {
                // A client left a quote open. What follows the last comma is still the proxy's.
                return [nil, node(trimmed(parts(of: value).last ?? ""))]
            }
            return elements.filter { !$0.isEmpty }.map(node)
        }
    }

    /// The members of a list, split by octets: some letters, such as U+0600, would be one character with a comma after
    /// them, so that what a client writes would hide what the proxy adds.
    package static func parts(of list: String) -> [Substring] {
        list.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0) }
    }

    /// The address in a field that holds one; nil without the field, for several values, and for anything else.
    static func single(_ values: [String]) -> SocketAddress? {
        values.count == 1 ? address(String(trimmed(values[0][...]))) : nil
    }

    /// The node of an element; nil if it has none or is malformed.
    private static func node(_ element: Substring) -> SocketAddress? {
        guard let pairs = split(element, at: ";") else { return nil }
        var node: String?
        for pair in pairs where !pair.isEmpty {
            guard let (name, text) = parsed(pair) else { return nil }
            guard name == "for" else { continue }
            // Section 4: a parameter occurs at most once per element.
            guard node == nil else { return nil }
            node = text
        }
        return node.flatMap(address)
    }

    /// The trimmed parts between separators outside quoted strings.
    private static func split(_ substring: Substring, at separator: Unicode.Scalar) -> [Substring]? {
        let text = substring.unicodeScalars
        var parts: [Substring] = []
        var isQuoted = false
        var isEscaped = false
        var start = text.startIndex
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == separator, !isQuoted {
                parts.append(trimmed(Substring(text[start..<index])))
                start = text.index(after: index)
            }
        }
        guard !isQuoted else { return nil }
        return parts + [trimmed(Substring(text[start...]))]
    }

    /// The name in lower case and the unquoted value.
    private static func parsed(_ pair: Substring) -> (name: String, value: String)? {
        guard let mark = pair.firstIndex(of: "=") else { return nil }
        let name = pair[..<mark]
        var value = pair[pair.index(after: mark)...]
        guard isToken(name) else { return nil }
        if value.hasPrefix("\""), value.hasSuffix("\""), value.count >= 2 {
            value = value.dropFirst().dropLast()
            // Addresses need no escapes, so a value with escapes is rejected.
            guard !value.contains(where: { $0 == "\"" || $0 == "\\" }) else { return nil }
        } else {
            guard isToken(value) else { return nil }
        }
        return (name.lowercased(), String(value))
    }

    /// RFC 9110 section 5.6.2, plus the colon before a port, which many proxies do not quote.
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { octet in
                (0x30...0x3A).contains(octet) || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
                    || "!#$%&'*+-.^_`|~".utf8.contains(octet)
            }
    }

    /// An IPv4 address or a bare or bracketed IPv6 address, optionally with a port.
    private static func address(_ node: String) -> SocketAddress? {
        if node.hasPrefix("[") {
            guard let end = node.firstIndex(of: "]"), isPort(node[node.index(after: end)...]) else { return nil }
            let text = node[..<end].dropFirst()
            return text.contains(":") ? SocketAddress(numeric: String(text)) : nil
        }
        if let colon = node.firstIndex(of: ":"), node.contains("."), isPort(node[colon...]) {
            return SocketAddress(numeric: String(node[..<colon]))
        }
        return SocketAddress(numeric: node)
    }

    private static func isPort(_ text: Substring) -> Bool {
        if text.isEmpty { return true }
        let digits = text.dropFirst().utf8
        return text.hasPrefix(":") && (1...5).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
