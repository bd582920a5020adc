/// Any JSON value, for texts whose structure is not known in advance.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The number exactly as written, without loss of precision.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Parses one JSON text. Rejects an object with a repeated name.
    ///
    /// - Parameter maximumValues: maximum number of values, including containers. A tree takes about 50 bytes and 100
    ///   ns per value, so a limit on the size of the text does not limit the cost.
    package static func parse(
        _ bytes: [UInt8], maximumDepth: Int = JSONReader.defaultMaximumDepth, maximumValues: Int = .max,
        replacesLoneSurrogates: Bool = false
    ) throws(JSONError) -> JSONValue {
        try JSONReader.read(
            bytes, maximumDepth: maximumDepth, replacesLoneSurrogates: replacesLoneSurrogates
        ) { reader throws(JSONError) in
            let value = try reader.readValue(maximumValues: maximumValues)
            try reader.finish()
            return value
        }
    }

    package var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number as an exact integer; nil for other kinds, for a fraction or exponent, and beyond 64 bits.
    package var integerValue: Int64? {
        guard case .number(let text) = self, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }) else { return nil }
        return Int64(text)
    }

    /// Whether it is a number without fraction and exponent, of any length.
    package var isWholeNumber: Bool {
        guard case .number(let text) = self else { return false }
        return text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }

    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The number to the precision of a double; nil for other kinds.
    package var doubleValue: Double? {
        if case .number(let text) = self { Double(text) } else { nil }
    }

    package var isNull: Bool { self == .null }

    /// Compact JSON.
    package func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension JSONReader {
    /// Reads the next value completely. Throws `tooManyValues` beyond `maximumValues`; the reader is then somewhere
    /// inside the value.
    package mutating func readValue(maximumValues: Int = .max) throws(JSONError) -> JSONValue {
        var room = maximumValues
        return try readValue(&room)
    }

    private mutating func readValue(_ room: inout Int) throws(JSONError) -> JSONValue {
        let kind = try peek()
        guard room > 0 else { throw failure(.tooManyValues) }
        room -= 1
        switch kind {
        case .null:
            try readNull()
            return .null
        case .bool: return .bool(try readBool())
        case .number: return .number(try readNumberText())
        case .string: return .string(try readString())
        case .array:
            try beginArray()
            var elements: [JSONValue] = []
            while try nextElement() { elements.append(try readValue(&room)) }
            return .array(elements)
        case .object: return .object(try readObject(&room))
        }
    }

    private mutating func readObject(_ room: inout Int) throws(JSONError) -> JSONObject {
        try beginObject()
        var object = JSONObject()
        var names = JSONNames()
        while let key = try nextKey() {
            let name = key.string
            guard names.insert(name) else { throw failure(.duplicateName, at: offset(of: key)) }
            object.members.append((name, try readValue(&room)))
        }
        return object
    }
}
