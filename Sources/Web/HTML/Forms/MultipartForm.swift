import TextCoding

/// A form with files: `multipart/form-data` (RFC 7578), as browsers write it.
package struct MultipartForm: Sendable, Hashable {
    package struct File: Sendable, Hashable {
        /// The name of the field.
        package let name: String
        /// As the browser sent it; never a path to use.
        package let fileName: String
        package let contentType: String?
        package let content: [UInt8]
    }

    package let texts: FormFields
    package let files: [File]

    /// Reads a body. Strict: no preamble, no epilogue, no field lines other than `Content-Disposition` and
    /// `Content-Type`, CR LF everywhere.
    ///
    /// - Parameter boundary: as in the media type; see ``boundary(inMediaType:)``.
    package init(_ body: [UInt8], boundary: String, limits: FormLimits = FormLimits()) throws(FormError) {
        guard Self.isBoundary(boundary) else { throw .malformed("The boundary of the form is invalid.") }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var reader = PartReader(body: body, delimiter: delimiter)
        var texts: [FormFields.Field] = []
        var files: [File] = []
        try reader.begin()
        while let part = try reader.next(limits) {
            guard texts.count + files.count < limits.fields else {
                throw FormFields.tooManyFields(limits)
            }
            if let fileName = part.fileName {
                guard part.content.count <= limits.fileBytes else {
                    throw .tooLarge("A file has more than %1 bytes.", limit: limits.fileBytes)
                }
                files.append(
                    File(
                        name: part.name, fileName: fileName, contentType: part.contentType,
                        content: Array(part.content)))
            } else {
                guard let value = String(validating: part.content, as: UTF8.self), !value.utf8.contains(0),
                    !part.content.withUnsafeBytes(CharacterRuns.areTooLong)
                else {
                    throw .malformed("The field \(part.name) is not UTF-8.")
                }
                texts.append(try FormFields.field(part.name, value, limits))
            }
        }
        self.texts = FormFields(texts)
        self.files = files
    }

    /// The boundary of a `Content-Type` value; nil for another type, and without exactly one valid boundary.
    package static func boundary(inMediaType value: String) -> String? {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false).map { Self.trimmed($0) }
        guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
        let values = parts.dropFirst().compactMap { part -> String? in
            guard part.lowercased().hasPrefix("boundary=") else { return nil }
            var text = part.dropFirst("boundary=".count)
            if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
            return String(text)
        }
        guard values.count == 1, isBoundary(values[0]) else { return nil }
        return values[0]
    }

    /// RFC 2046 section 5.1.1.
    private static func isBoundary(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.last != UInt8(ascii: " ")
            && text.utf8.allSatisfy { octet in
                (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
                    || "'()+_,-./:=? ".utf8.contains(octet)
            }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

/// Cuts a body into parts.
private struct PartReader {
    struct Part {
        let name: String
        let fileName: String?
        let contentType: String?
        let content: ArraySlice<UInt8>
    }

    let body: [UInt8]
    /// CR LF, two hyphens and the boundary.
    let delimiter: [UInt8]
    private var position = 0

    /// Maximum bytes of the field lines of a part.
    private static let maximumHeadBytes = 2048

    init(body: [UInt8], delimiter: [UInt8]) {
        self.body = body
        self.delimiter = delimiter
    }

    /// Reads the first delimiter, which has no CR LF before it.
    mutating func begin() throws(FormError) {
        let first = delimiter.dropFirst(2)
        guard body.starts(with: first) else { throw .malformed("The form does not begin with its boundary.") }
        position = first.count
    }

    /// Nil at the end of the form.
    mutating func next(_ limits: FormLimits) throws(FormError) -> Part? {
        if take("--") {
            _ = take("\r\n")
            guard position == body.count else { throw .malformed("There is data after the form.") }
            return nil
        }
        guard take("\r\n") else { throw .malformed("A boundary of the form does not end its line.") }
        let head = try readHead()
        guard let end = find(delimiter, from: position) else {
            throw .malformed("A part of the form has no end.")
        }
        let content = body[position..<end]
        position = end + delimiter.count
        return Part(name: head.name, fileName: head.fileName, contentType: head.contentType, content: content)
    }

    private mutating func readHead() throws(FormError) -> (name: String, fileName: String?, contentType: String?) {
        var disposition: (name: String, fileName: String?)?
        var contentType: String?
        let start = position
        while !take("\r\n") {
            guard let end = find([0x0D, 0x0A], from: position, limit: start + Self.maximumHeadBytes) else {
                throw .tooLarge("The head of a part has more than %1 bytes.", limit: Self.maximumHeadBytes)
            }
            let line = body[position..<end]
            position = end + 2
            guard let text = String(validating: line, as: UTF8.self), !text.utf8.contains(0),
                !line.withUnsafeBytes(CharacterRuns.areTooLong), let colon = text.firstIndex(of: ":")
            else { throw .malformed("A field line of a part is unreadable.") }
            let value = text[text.index(after: colon)...].drop { $0 == " " }
            switch text[..<colon].lowercased() {
            case "content-disposition" where disposition == nil: disposition = try Self.disposition(value)
            case "content-type" where contentType == nil: contentType = String(value)
            default: throw .malformed("A part has a field line that forms do not have.")
            }
        }
        guard let disposition else { throw .malformed("A part has no name.") }
        return (disposition.name, disposition.fileName, contentType)
    }

    /// `form-data; name="…"; filename="…"`, in which browsers write `%22`, `%0D` and `%0A` for three characters.
    private static func disposition(_ value: Substring) throws(FormError) -> (name: String, fileName: String?) {
        let prefix = "form-data; name=\""
        guard value.hasPrefix(prefix), value.hasSuffix("\""), value.utf8.count > prefix.utf8.count else {
            throw .malformed("A part has no name.")
        }
        let quoted = value.dropFirst(prefix.count).dropLast()
        guard let mark = quoted.firstIndex(of: "\"") else { return (unescaped(quoted), nil) }
        let rest = quoted[mark...]
        let separator = "\"; filename=\""
        guard rest.hasPrefix(separator) else { throw .malformed("The name of a part is unreadable.") }
        let fileName = rest.dropFirst(separator.count)
        guard !fileName.contains("\"") else { throw .malformed("The file name of a part is unreadable.") }
        return (unescaped(quoted[..<mark]), unescaped(fileName))
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("%") else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let first = rest.first {
            let code = rest.prefix(3)
            let pairs: [(String, UInt8)] = [("%22", 0x22), ("%0D", 0x0D), ("%0A", 0x0A)]
            if let pair = pairs.first(where: { code.elementsEqual($0.0.utf8) }) {
                bytes.append(pair.1)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let matches = text.withUTF8Buffer { body[position...].starts(with: $0) }
        if matches { position += text.utf8CodeUnitCount }
        return matches
    }

    /// The index of the first occurrence. Looks for the first byte before comparing, so files cost one pass.
    private func find(_ pattern: [UInt8], from start: Int, limit: Int = .max) -> Int? {
        let last = min(body.count - pattern.count, limit)
        guard start <= last else { return nil }
        return body.withUnsafeBufferPointer { octets in
            var index = start
            while index <= last {
                if octets[index] == pattern[0], octets[index + 1] == pattern[1],
                    octets[index..<index + pattern.count].elementsEqual(pattern)
                {
                    return index
                }
                index += 1
            }
            return nil
        }
    }
}
