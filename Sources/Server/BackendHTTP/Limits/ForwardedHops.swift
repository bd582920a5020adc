import HTTPServer
import HTTPWire

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
