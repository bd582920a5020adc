extension JSONReader {
    /// Reads an object without building a tree. Calls `body` for each member with the name's index in `names`, nil for
    /// any other name, and the name itself. `body` must read or skip the value and return true; if it returns false,
    /// reading stops with the object still open.
    ///
    /// A name of `names` that occurs twice is an error. Other names are not recorded, so that an object of a million
    /// members needs no memory.
    ///
    /// - Parameter names: at most 64.
    package mutating func readMembers(
        _ names: [StaticString], _ body: (Int?, JSONText, inout JSONReader) throws(JSONError) -> Bool
    ) throws(JSONError) {
        var seen: UInt64 = 0
        try beginObject()
        while let key = try nextKey() {
            let index = names.firstIndex { key.equals($0) }
            if let index {
                guard seen & (1 << UInt64(index)) == 0 else { throw failure(.duplicateName, at: offset(of: key)) }
                seen |= 1 << UInt64(index)
            }
            guard try body(index, key, &self) else { return }
        }
    }

    /// Reads the next value if it is a string; skips any other value and returns nil.
    package mutating func readStringOrSkip() throws(JSONError) -> JSONText? {
        guard try peek() == .string else {
            try skipValue()
            return nil
        }
        return try readRawString()
    }

    /// Reads the next value if it is a string or a number. Skips any other value and returns null.
    package mutating func readScalar() throws(JSONError) -> JSONValue {
        switch try peek() {
        case .string: return .string(try readString())
        case .number: return .number(try readNumberText())
        case .bool: return .bool(try readBool())
        case .null, .array, .object:
            try skipValue()
            return .null
        }
    }
}
