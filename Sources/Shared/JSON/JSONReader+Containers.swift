extension JSONReader {
    package mutating func beginObject() throws(JSONError) {
        try expect(.object)
        try open()
    }

    package mutating func beginArray() throws(JSONError) {
        try expect(.array)
        try open()
    }

    /// Reads the next member name of the open object; returns nil after its closing brace.
    package mutating func nextKey() throws(JSONError) -> JSONText? {
        guard try advance(closing: UInt8(ascii: "}")) else { return nil }
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        guard bytes[position] == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
        let key = try scanString()
        skipWhitespace()
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        guard bytes[position] == UInt8(ascii: ":") else { throw failure(.unexpectedByte) }
        position += 1
        return key
    }

    /// Advances to the next element of the open array; returns false after its closing bracket.
    package mutating func nextElement() throws(JSONError) -> Bool {
        try advance(closing: UInt8(ascii: "]"))
    }

    /// Skips the next value of any kind, checking that it is well formed.
    package mutating func skipValue() throws(JSONError) {
        switch try peek() {
        case .object:
            try open()
            while try nextKey() != nil { try skipValue() }
        case .array:
            try open()
            while try nextElement() { try skipValue() }
        case .string: _ = try scanString()
        case .number: _ = try scanNumber()
        case .bool: _ = try readBool()
        case .null: try readNull()
        }
    }

    private mutating func open() throws(JSONError) {
        guard depth < maximumDepth else { throw failure(.tooDeep) }
        depth += 1
        position += 1
        isAtStart = true
    }

    /// Consumes the separator before the next element and returns true, or the closing byte and returns false.
    private mutating func advance(closing: UInt8) throws(JSONError) -> Bool {
        skipWhitespace()
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        let wasAtStart = isAtStart
        isAtStart = false
        if bytes[position] == closing {
            position += 1
            depth -= 1
            return false
        }
        if wasAtStart { return true }
        guard bytes[position] == UInt8(ascii: ",") else { throw failure(.unexpectedByte) }
        position += 1
        skipWhitespace()
        return true
    }
}
