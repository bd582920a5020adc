package import HTTPTypes
import TextCoding

/// A request line and its fields: one copy of the bytes, and the range of each part.
///
/// The parser reuses the same value. While no handler keeps a copy, its storage is reused and a request costs no
/// allocation; otherwise copy-on-write gives the parser new storage.
package struct RequestHead: Sendable {
    struct Field: Sendable {
        var nameStart: UInt32
        var nameCount: UInt32
        var valueStart: UInt32
        var valueCount: UInt32
        var known: KnownField
    }

    var bytes: [UInt8] = []
    var fields: [Field] = []

    package internal(set) var method: RequestMethod = .get
    /// 0 for HTTP/1.0, 1 for HTTP/1.1 and any later 1.x.
    package internal(set) var minorVersion: UInt8 = 1
    /// The path as sent, from its `/` to before the `?`; `*` for `OPTIONS *`.
    package internal(set) var pathRange: Range<Int> = 0..<0
    /// Host and port of an absolute target; empty for the other forms.
    var authorityRange: Range<Int> = 0..<0
    /// The query as sent, without its `?`; empty if there is none.
    package internal(set) var queryRange: Range<Int> = 0..<0
    package internal(set) var framing: BodyFraming = .none
    package internal(set) var keepsAlive = true
    /// The client waits for `100 Continue` before it sends the body.
    package internal(set) var expectsContinue = false

    /// Allocates nothing, so that an idle connection has no storage.
    package init() {}

    /// Reserves storage for a request of the usual size.
    package mutating func reserveStorage() {
        bytes.reserveCapacity(1024)
        fields.reserveCapacity(16)
    }

    /// Memory that the head takes, in bytes.
    package var storageBytes: Int { bytes.capacity + fields.capacity * MemoryLayout<Field>.stride }

    /// ``storageBytes`` of a head of the usual size, which is kept for the next request.
    package static let usualStorageBytes = 2048

    /// Appends the lines read since the last call.
    mutating func keep(_ lines: UnsafeRawBufferPointer) { bytes.append(contentsOf: lines) }

    /// An absolute target without a path means `/`. The head does not contain that octet, so path and query are
    /// appended to the buffer, which keeps them ranges of it.
    mutating func completePath() {
        guard pathRange.isEmpty else { return }
        let query = bytes[queryRange]
        pathRange = bytes.count..<bytes.count + 1
        bytes.append(UInt8(ascii: "/"))
        guard !query.isEmpty else {
            queryRange = bytes.count..<bytes.count
            return
        }
        bytes.append(UInt8(ascii: "?"))
        queryRange = bytes.count..<bytes.count + query.count
        bytes.append(contentsOf: query)
    }

    /// Removes a prefix that is the path or is followed by a slash. Returns whether it was there.
    package mutating func dropPrefix(ofPath prefix: [UInt8]) -> Bool {
        guard !prefix.isEmpty, withPath({ $0.starts(with: prefix) }) else { return false }
        let start = pathRange.lowerBound + prefix.count
        guard start == pathRange.upperBound || bytes[start] == UInt8(ascii: "/") else { return false }
        pathRange = start..<pathRange.upperBound
        completePath()
        return true
    }

    /// Prepares the value for the next request; unshared storage of the usual size is kept.
    package mutating func reset() {
        let isUsual = storageBytes <= Self.usualStorageBytes
        bytes.removeAll(keepingCapacity: isUsual)
        fields.removeAll(keepingCapacity: isUsual)
        method = .get
        minorVersion = 1
        pathRange = 0..<0
        queryRange = 0..<0
        authorityRange = 0..<0
        framing = .none
        keepsAlive = true
        expectsContinue = false
    }
}

extension RequestHead {
    package var path: String { text(pathRange) }
    package var query: String { text(queryRange) }
    /// The requested host, with its port if there is one: that of an absolute target, which overrides the field (RFC
    /// 9112 section 3.2.2), else that of `Host`.
    package var host: String? { authorityRange.isEmpty ? value(of: .host) : text(authorityRange) }

    package func withPath<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[pathRange])) }
    }

    package func withQuery<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[queryRange])) }
    }

    /// Path and query as sent, for cache keys.
    package func withTarget<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let end = queryRange.isEmpty ? pathRange.upperBound : queryRange.upperBound
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[pathRange.lowerBound..<end])) }
    }

    package func contains(_ name: KnownField) -> Bool { fields.contains { $0.known == name } }

    /// The number of field lines of this name.
    package func count(of name: KnownField) -> Int { fields.count { $0.known == name } }

    /// The first value of a field, or `nil`. Octets that are not UTF-8 become U+FFFD, as do all beyond ASCII of a value
    /// with more than ``CharacterRuns/mostMarksInHead`` combining marks in a row, or 32 flags.
    package func value(of name: KnownField) -> String? {
        fields.first { $0.known == name }.map { text(valueRange($0)) }
    }

    /// Every value of a field, in order.
    package func values(of name: KnownField) -> [String] {
        fields.filter { $0.known == name }.map { text(valueRange($0)) }
    }

    package func withValue<Result>(
        of name: KnownField, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        guard let field = fields.first(where: { $0.known == name }) else { return nil }
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[valueRange(field)])) }
    }

    /// All fields in order, as the common currency type.
    package var httpFields: HTTPFields {
        var result = HTTPFields()
        for field in fields {
            let start = Int(field.nameStart)
            guard let name = HTTPField.Name(text(start..<start + Int(field.nameCount))) else { continue }
            result.append(HTTPField(name: name, value: text(valueRange(field))))
        }
        return result
    }

    func valueRange(_ field: Field) -> Range<Int> {
        Int(field.valueStart)..<Int(field.valueStart) + Int(field.valueCount)
    }

    private func text(_ range: Range<Int>) -> String {
        let octets = bytes[range]
        let areTooLong = octets.withUnsafeBytes {
            CharacterRuns.areTooLong(in: $0, mostMarks: CharacterRuns.mostMarksInHead)
        }
        guard areTooLong else { return String(decoding: octets, as: UTF8.self) }
        return String(String.UnicodeScalarView(octets.map { $0 < 0x80 ? Unicode.Scalar($0) : "\u{FFFD}" }))
    }
}
