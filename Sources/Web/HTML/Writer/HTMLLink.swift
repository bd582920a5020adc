import TextCoding

/// The target of a link, form or resource: a path on this server, a fragment of the page, or an `https` or `mailto`
/// URL. No other scheme can be written, so no data becomes a script.
package struct HTMLLink: Sendable, Hashable {
    package let text: String

    /// A path of segments, each percent-encoded. Empty segments and dot segments are dropped, because browsers resolve
    /// them: the result always begins with a single `/`.
    package init(_ segments: String..., query: [(name: String, value: String)] = [], fragment: String? = nil) {
        self.init(path: segments, query: query, fragment: fragment)
    }

    package init(path segments: [String], query: [(name: String, value: String)] = [], fragment: String? = nil) {
        var text = ""
        for segment in segments where ![".", "..", ""].contains(segment) {
            text += "/" + PercentCoding.encode(segment)
        }
        if text.isEmpty { text = "/" }
        if !query.isEmpty { text += "?" + PercentCoding.encode(pairs: query) }
        if let fragment { text += "#" + PercentCoding.encode(fragment) }
        self.text = text
    }

    /// A place in the same page.
    package static func fragment(_ id: String) -> HTMLLink { HTMLLink(unchecked: "#" + PercentCoding.encode(id)) }

    /// A text from elsewhere. Nil unless it is an absolute path on this server, an `https` URL with a host, or a
    /// `mailto` URL, and consists of visible ASCII characters.
    package init?(checking text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 8192, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        // Browsers read a backslash as a slash, and `//host` as another site.
        guard !bytes.contains(UInt8(ascii: "\\")) else { return nil }
        if bytes.first == UInt8(ascii: "/") {
            guard bytes.dropFirst().first != UInt8(ascii: "/") else { return nil }
        } else if text.lowercased().hasPrefix("https://") {
            guard let first = bytes.dropFirst(8).first,
                ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
                    .contains(first)
            else { return nil }
        } else {
            guard text.lowercased().hasPrefix("mailto:"), bytes.count > 7 else { return nil }
        }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }
}
