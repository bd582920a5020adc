import TextCoding

/// Reads tags and texts of XML, and of the SGML of OFX 1, whose values have no end tags.
///
/// Bounded and without a document type: `<!DOCTYPE` is refused, so there are no entities but the five of XML and
/// numbers. Namespaces' prefixes and attributes other than the wanted one are dropped. Names are not matched with their
/// end tags; readers close what they opened.
package struct MarkupReader {
    package enum Event: Sendable, Hashable {
        /// The local name as written, and the value of the wanted attribute.
        case start(String, attribute: String?)
        case end(String)
        /// Trimmed, never empty, and whole: comments and CDATA sections do not divide it.
        case text(String)
    }

    static let maximumNameBytes = 64
    package static let maximumTextBytes = 16 << 10

    private let bytes: [UInt8]
    private let wantedAttributes: [[UInt8]]
    /// The values of the wanted attributes in the last start tag, in the order in which they were asked for.
    package private(set) var attributes: [String?]
    private var position = 0
    /// The end tag of an element that was written as `<Name/>`.
    private var due: Event?

    /// - Parameter attribute: the name of the attribute that is kept, such as `Ccy`.
    package init(_ text: [UInt8], attribute: String = "") { self.init(text, attributes: [attribute]) }

    /// - Parameter attributes: the names of the attributes that are kept.
    package init(_ text: [UInt8], attributes: [String]) {
        bytes = text
        wantedAttributes = attributes.map { Array($0.utf8) }
        self.attributes = attributes.map { _ in nil }
    }

    /// The next event, nil at the end.
    package mutating func next() throws(Fault) -> Event? {
        if let event = due {
            due = nil
            return event
        }
        let content = readContent()
        if !content.isEmpty {
            guard content.count <= Self.maximumTextBytes else { throw Self.malformed }
            return .text(try Self.string(content))
        }
        guard position < bytes.count else { return nil }
        guard !starts(with: "<!") else {
            throw Fault("file", .invalidFormat, "Document types are not supported.")
        }
        return try readTag()
    }

    /// The text up to the next tag, or to the end; empty for blanks and comments.
    private mutating func readContent() -> ArraySlice<UInt8> {
        var content: [UInt8] = []
        func add(_ piece: ArraySlice<UInt8>) { content += content.isEmpty ? piece.drop(while: Self.isBlank) : piece }
        while position < bytes.count {
            if skips("<!--", through: "-->") || skips("<?", through: "?>") { continue }
            let isData = starts(with: "<![CDATA[")
            guard isData || bytes[position] != UInt8(ascii: "<") else { break }
            if isData { position += 9 }
            let start = position
            while position < bytes.count, isData ? !starts(with: "]]>") : bytes[position] != UInt8(ascii: "<") {
                position += 1
            }
            add(isData ? bytes[start..<position] : Self.replacingEntities(bytes[start..<position]))
            if isData { position = min(position + 3, bytes.count) }
        }
        return Self.trimmed(content[...])
    }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    private mutating func skips(_ start: StaticString, through end: StaticString) -> Bool {
        guard starts(with: start) else { return false }
        position += start.utf8CodeUnitCount
        while position < bytes.count, !starts(with: end) { position += 1 }
        position = min(position + end.utf8CodeUnitCount, bytes.count)
        return true
    }

    private mutating func readTag() throws(Fault) -> Event {
        position += 1
        let isEnd = position < bytes.count && bytes[position] == UInt8(ascii: "/")
        if isEnd { position += 1 }
        var start = position
        while position < bytes.count, Self.isName(bytes[position]) {
            position += 1
            if bytes[position - 1] == UInt8(ascii: ":") { start = position }
        }
        guard (1...Self.maximumNameBytes).contains(position - start) else { throw Self.malformed }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        for place in attributes.indices { attributes[place] = nil }
        var isEmpty = false
        while true {
            while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
            guard position < bytes.count else { throw Self.malformed }
            if bytes[position] == UInt8(ascii: ">") { break }
            if bytes[position] == UInt8(ascii: "/") {
                isEmpty = true
                position += 1
                continue
            }
            try readAttribute()
        }
        position += 1
        if isEnd { return .end(name) }
        if isEmpty { due = .end(name) }
        return .start(name, attribute: attributes.first ?? nil)
    }

    /// Keeps the value if it is a wanted one.
    private mutating func readAttribute() throws(Fault) {
        let start = position
        while position < bytes.count, Self.isName(bytes[position]) { position += 1 }
        let wanted = wantedAttributes.firstIndex { bytes[start..<position].elementsEqual($0) }
        guard position > start, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "=") else {
            throw Self.malformed
        }
        let quote = bytes[position + 1]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw Self.malformed }
        position += 2
        let content = position
        while position < bytes.count, bytes[position] != quote { position += 1 }
        guard position < bytes.count else { throw Self.malformed }
        defer { position += 1 }
        let value = Self.trimmed(bytes[content..<position])
        guard value.count <= Self.maximumTextBytes else { throw Self.malformed }
        if let wanted, !value.isEmpty { attributes[wanted] = try Self.string(Self.replacingEntities(value)) }
    }

    private static func replacingEntities(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard content.contains(UInt8(ascii: "&")) else { return content }
        var text: [UInt8] = []
        var rest = content
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&"), let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")),
                let scalar = entity(rest[rest.startIndex..<end]), let encoded = UTF8.encode(scalar)
            else {
                // Banks write `AT&T` in OFX; an unknown entity stays as it is.
                text.append(byte)
                continue
            }
            text.append(contentsOf: encoded)
            rest = rest[(end + 1)...]
        }
        return text[...]
    }

    private static func string(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
        guard !bytes.withUnsafeBytes(CharacterRuns.areTooLong) else { throw .tooManyStatementMarks }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func entity(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        switch String(decoding: name, as: UTF8.self) {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        case "nbsp": " "
        case let number where number.hasPrefix("#x"):
            UInt32(number.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case let number where number.hasPrefix("#"): UInt32(number.dropFirst()).flatMap(Unicode.Scalar.init)
        default: nil
        }
    }

    private static func trimmed(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var content = content.drop(while: isBlank)
        while let last = content.last, isBlank(last) { content.removeLast() }
        return content
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E, 0x80...: true
        default: false
        }
    }

    private static let malformed = Fault("file", .invalidFormat, "The markup is damaged.")
}
