import JSONWire
package import SubGuardDomain

/// The table of ``CrashRegistry`` as a tree. One walk over an event keeps the listed fields and drops all others.
struct CrashFieldTree: Sendable {
    /// The kind of a scalar; nil for an object.
    private let kind: CrashField.Kind?
    private let members: [(name: String, bytes: [UInt8], tree: CrashFieldTree)]
    /// For a list: how many elements are kept, counted from the end. Nil for a single value.
    private let listed: Int?

    static let kept = CrashFieldTree(
        CrashRegistry.fields.map { (path: $0.path.split(separator: ".").map(String.init), kind: $0.kind) }, listed: nil)

    /// ``kept`` and the fields that are read from an event but not stored as received.
    static let read = CrashFieldTree(
        CrashRegistry.fields.map { (path: $0.path.split(separator: ".").map(String.init), kind: $0.kind) } + [
            (path: ["timestamp"], kind: .number), (path: ["event_id"], kind: .word),
        ], listed: nil)

    /// `fields` have paths relative to this node; an empty path is the node itself.
    private init(_ fields: [(path: [String], kind: CrashField.Kind)], listed: Int?) {
        kind = fields.first { $0.path.isEmpty }?.kind
        self.listed = listed
        var names: [String] = []
        for field in fields where !field.path.isEmpty && !names.contains(field.path[0]) { names.append(field.path[0]) }
        members = names.map { name in
            let below = fields.filter { $0.path.first == name }
                .map { (path: Array($0.path.dropFirst()), kind: $0.kind) }
            guard name.hasSuffix("[]") else { return (name, Array(name.utf8), CrashFieldTree(below, listed: nil)) }
            let bare = String(name.dropLast(2))
            let last = bare == "frames" ? CrashRegistry.maximumFrames : CrashRegistry.maximumExceptions
            return (bare, Array(bare.utf8), CrashFieldTree(below, listed: last))
        }
    }

    /// Reads the next value to its end. Values outside the tree are skipped, so an event uses no more memory than its
    /// kept fields. The returned values are not scrubbed yet.
    func value(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        guard let listed else { return try one(&reader) }
        guard try reader.peek() == .array else {
            try reader.skipValue()
            return .null
        }
        var elements: [JSONValue] = []
        try reader.beginArray()
        while try reader.nextElement() {
            elements.append(try one(&reader))
            // Dropping elements in bulk is cheaper than shifting the array for each one.
            if elements.count >= 2 * listed { elements.removeFirst(elements.count - listed) }
        }
        return .array(Array(elements.suffix(listed)))
    }

    private func one(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        guard kind == nil else { return try reader.readScalar() }
        switch try reader.peek() {
        case .object: return .object(try object(&reader))
        case .array where members.count == 1 && members[0].name == "values":
            // Old clients send the list without the enclosing object.
            return try members[0].tree.value(&reader)
        default:
            try reader.skipValue()
            return .null
        }
    }

    /// Throws `duplicateName` for a field of the tree that occurs twice.
    private func object(_ reader: inout JSONReader) throws(JSONError) -> JSONObject {
        var object = JSONObject()
        var seen: UInt64 = 0
        try reader.beginObject()
        while let key = try reader.nextKey() {
            let index = key.withDecodedBytes { name in members.firstIndex { name.elementsEqual($0.bytes) } }
            guard let index else {
                try reader.skipValue()
                continue
            }
            guard seen & (1 << UInt64(index)) == 0 else {
                throw JSONError(offset: reader.offset(of: key), reason: .duplicateName)
            }
            seen |= 1 << UInt64(index)
            object.members.append((members[index].name, try members[index].tree.value(&reader)))
        }
        return object
    }

    /// Returns the parts of a value that are kept, scrubbed; nil for none.
    func reduce(_ value: JSONValue, _ scrubber: inout CrashScrubber) -> JSONValue? {
        guard let listed else { return reduce(one: value, &scrubber) }
        guard let elements = value.arrayValue else { return nil }
        let kept = elements.suffix(listed).compactMap { reduce(one: $0, &scrubber) }
        return kept.isEmpty ? nil : .array(kept)
    }

    private func reduce(one value: JSONValue, _ scrubber: inout CrashScrubber) -> JSONValue? {
        if let kind { return kind.reduce(value, &scrubber) }
        guard let object = value.objectValue else {
            // Old clients send the list without the enclosing object with `values`.
            guard value.arrayValue != nil, members.map(\.name) == ["values"] else { return nil }
            return reduce(one: .object(JSONObject([("values", value)])), &scrubber)
        }
        let kept = members.compactMap { name, _, tree in
            object[name].flatMap { tree.reduce($0, &scrubber) }.map { (name, $0) }
        }
        return kept.isEmpty ? nil : .object(JSONObject(kept))
    }
}

extension CrashField.Kind {
    /// Returns the scrubbed value; nil if it is not of this kind.
    func reduce(_ value: JSONValue, _ scrubber: inout CrashScrubber) -> JSONValue? {
        switch (self, value) {
        case (.text(let bytes), .string(let text)): Self.nonempty(scrubber.text(text, maximumBytes: bytes))
        case (.symbol(let bytes), .string(let text)): Self.nonempty(scrubber.symbol(text, maximumBytes: bytes))
        case (.word, .string(let text)): Self.isWord(text) ? value : nil
        case (.version, .string(let text)): Self.isVersion(text) ? value : nil
        case (.version, .number(let text)): text.utf8.count <= 16 ? .string(text) : nil
        case (.release, .string(let text)): ReleaseName.isValid(text) ? value : nil
        case (.number, _): value.integerValue.flatMap { $0 >= 0 ? value : nil }
        case (.flag, .bool): value
        default: nil
        }
    }

    private static func nonempty(_ text: String) -> JSONValue? { text.isEmpty ? nil : .string(text) }

    private static func isWord(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { Octet.isToken($0) || $0 == UInt8(ascii: ".") }
    }

    private static func isVersion(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { Octet.isToken($0) || Octet.isOneOf($0, " .+()") }
    }
}

/// The names of releases: a version, a commit, or `package@version`.
enum ReleaseName {
    static func isValid(_ text: String) -> Bool {
        guard (1...96).contains(text.utf8.count) else { return false }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let version = parts.last, parts.allSatisfy({ isPart($0) }) else { return false }
        // A mail address also looks like `package@version`, so the version must begin with a number or be a commit.
        return parts.count == 1 || isVersion(version)
    }

    private static func isPart(_ part: Substring) -> Bool {
        !part.isEmpty && part.utf8.allSatisfy { Octet.isToken($0) || Octet.isOneOf($0, ".+/ ()") }
    }

    private static func isVersion(_ part: Substring) -> Bool {
        let number = part.utf8.prefix { Octet.isDigit($0) }
        let next = part.utf8.dropFirst(number.count).first
        let isNumbered = !number.isEmpty && (next.map { Octet.isOneOf($0, ".+-_ ") } ?? true)
        return isNumbered || (part.utf8.count >= 7 && part.utf8.allSatisfy { Octet.isHex($0) })
    }
}

extension CrashField {
    /// Returns the field at a path of an event; nil if it is not kept.
    package static func kept(at path: String) -> CrashField? { CrashRegistry.fields.first { $0.path == path } }
}

extension CrashField.Kind {
    /// Whether a text is of this kind and has at most as many Unicode scalars as the field's maximum bytes.
    package func accepts(_ text: String) -> Bool {
        switch self {
        case .text(let bytes), .symbol(let bytes): return (1...bytes).contains(text.unicodeScalars.count)
        case .word, .version, .release:
            var scrubber = CrashScrubber()
            return reduce(.string(text), &scrubber) != nil
        case .number, .flag: return false
        }
    }

    /// The fault of a text that is not of this kind; nil for one that is.
    package func fault(of text: String) -> FaultCode? {
        guard !accepts(text) else { return nil }
        if text.isEmpty { return .required }
        return text.unicodeScalars.count > maximumLength ? .outOfRange : .invalidFormat
    }

    private var maximumLength: Int {
        switch self {
        case .text(let bytes), .symbol(let bytes): bytes
        case .word: 32
        case .version: 40
        case .release: 96
        case .number, .flag: .max
        }
    }

    /// The rule as an error message.
    package var rule: Sentence {
        switch self {
        case .text(let bytes), .symbol(let bytes): "Must be a string of 1 to \(bytes) characters."
        case .word: "Must be 1 to 32 letters, digits and . _ -"
        case .version: "Must be 1 to 40 letters, digits, blanks and . _ + - ( )"
        case .release: "Must be a version, a commit or package@version, of at most 96 characters."
        case .number: "Must be a whole number from 0 on."
        case .flag: "Must be true or false."
        }
    }
}
