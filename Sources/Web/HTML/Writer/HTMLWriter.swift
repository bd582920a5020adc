import Publication
import TextCoding

/// Writes HTML. Every text and every attribute value is escaped, links are checked by their type, and end tags follow
/// from closures, so a page cannot be malformed. There is no way to write a text without escaping it.
package struct HTMLWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 4096) { bytes.reserveCapacity(capacity) }

    /// The first line of a page.
    package mutating func doctype() { append("<!doctype html>\n") }

    package mutating func add(
        _ element: HTMLElement, _ attributes: HTMLAttribute?..., content: (inout HTMLWriter) -> Void
    ) {
        add(element, attributes: attributes, content: content)
    }

    /// The same with a list of attributes.
    package mutating func add(
        _ element: HTMLElement, attributes: [HTMLAttribute?], content: (inout HTMLWriter) -> Void
    ) {
        open(element.rawValue, attributes)
        // Parsers drop the first line feed of these elements.
        if element == .textarea || element == .pre { bytes.append(0x0A) }
        content(&self)
        close(element.rawValue)
    }

    /// An element with a text.
    package mutating func add(_ element: HTMLElement, _ attributes: HTMLAttribute?..., text: String) {
        open(element.rawValue, attributes)
        if element == .textarea || element == .pre { bytes.append(0x0A) }
        self.text(text)
        close(element.rawValue)
    }

    package mutating func add(_ element: HTMLVoidElement, _ attributes: HTMLAttribute?...) {
        open(element.rawValue, attributes)
    }

    package mutating func add(_ element: HTMLVoidElement, attributes: [HTMLAttribute?]) {
        open(element.rawValue, attributes)
    }

    package mutating func add(svg element: SVGElement, _ attributes: HTMLAttribute?...) {
        open(element.rawValue, attributes)
        close(element.rawValue)
    }

    package mutating func add(
        svg element: SVGElement, _ attributes: HTMLAttribute?..., content: (inout HTMLWriter) -> Void
    ) {
        open(element.rawValue, attributes)
        content(&self)
        close(element.rawValue)
    }

    package mutating func add(svg element: SVGElement, _ attributes: HTMLAttribute?..., text: String) {
        open(element.rawValue, attributes)
        self.text(text)
        close(element.rawValue)
    }

    /// An icon of a sprite.
    package mutating func icon(_ sprite: HTMLLink, _ name: StaticString, _ attributes: HTMLAttribute?...) {
        open("svg", attributes + [.aria("hidden", "true")])
        append("<use href=\"")
        escaped(PublishedPath.of(sprite.text))
        append("#")
        append(name)
        append("\"></use></svg>")
    }

    /// A script of this server, run when the page has been parsed.
    package mutating func script(_ source: HTMLLink, integrity: String) {
        open("script", [.source(source), .integrity(integrity), .defer])
        close("script")
    }

    package mutating func text(_ text: String) { escaped(text) }

    // MARK: Bytes

    private mutating func open(_ name: String, _ attributes: [HTMLAttribute?]) {
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: name.utf8)
        for case let attribute? in attributes {
            bytes.append(UInt8(ascii: " "))
            append(attribute.name)
            if let suffix = attribute.suffix { append(suffix) }
            switch attribute.value {
            case .flag: continue
            case .literal(let literal):
                append("=\"")
                escaped(literal.description)
            case .text(let text):
                append("=\"")
                escaped(text)
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: ">"))
    }

    private mutating func close(_ name: String) {
        append("</")
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: ">"))
    }

    private mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// The same for texts and attribute values, so that neither can be confused with the other. Control characters that
    /// HTML forbids become U+FFFD, and a carriage return a reference, because parsers would read it as a line feed.
    private mutating func escaped(_ text: String) {
        var text = text
        text.withUTF8 { octets in
            var start = 0
            for (index, octet) in octets.enumerated() {
                let replacement: StaticString
                switch octet {
                case UInt8(ascii: "&"): replacement = "&amp;"
                case UInt8(ascii: "<"): replacement = "&lt;"
                case UInt8(ascii: ">"): replacement = "&gt;"
                case UInt8(ascii: "\""): replacement = "&quot;"
                case UInt8(ascii: "'"): replacement = "&#39;"
                case 0x0D: replacement = "&#13;"
                case 0x09, 0x0A: continue
                case 0..<0x20, 0x7F: replacement = "\u{FFFD}"
                default: continue
                }
                bytes.append(contentsOf: octets[start..<index])
                append(replacement)
                start = index + 1
            }
            bytes.append(contentsOf: octets[start...])
        }
    }
}
