/// Reads CBOR (RFC 8949) with bounds. Lengths must be stated; that they are as short as possible is not required.
package struct CBORReader: Sendable {
    package static let maximumDepth = 8
    package static let maximumValues = 256
    /// Of one text. Names have at most 32 (WebAuthn); comparing texts can cost the square of their length.
    package static let maximumTextBytes = 128

    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int
    private var values = 0

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Reads exactly one value.
    package static func read(_ bytes: [UInt8]) throws(CBORError) -> CBORValue {
        var reader = CBORReader(bytes[...])
        let value = try reader.next()
        guard reader.rest.isEmpty else { throw .trailing }
        return value
    }

    /// What was not read yet.
    package var rest: ArraySlice<UInt8> { bytes[position...] }

    /// Reads one value.
    package mutating func next() throws(CBORError) -> CBORValue { try next(depth: 1) }

    private mutating func next(depth: Int) throws(CBORError) -> CBORValue {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        values += 1
        guard values <= Self.maximumValues else { throw .tooManyValues }
        let initial = try octet()
        let information = initial & 0x1F
        if initial >> 5 == 7 { return try simple(information) }
        let argument = try argument(information)
        switch initial >> 5 {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(Array(try take(argument)))
        case 3: return .text(try text(argument))
        case 4: return .array(try array(argument, depth))
        case 5: return .map(try map(argument, depth))
        default: throw .unsupported
        }
    }

    private func simple(_ information: UInt8) throws(CBORError) -> CBORValue {
        switch information {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        case 31: throw .indefinite
        default: throw .unsupported
        }
    }

    private mutating func octet() throws(CBORError) -> UInt8 {
        guard position < bytes.endIndex else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func argument(_ information: UInt8) throws(CBORError) -> UInt64 {
        switch information {
        case 0..<24: return UInt64(information)
        case 24...27:
            var number: UInt64 = 0
            for _ in 0..<(1 << (information - 24)) { number = number << 8 | UInt64(try octet()) }
            return number
        case 31: throw .indefinite
        default: throw .unsupported
        }
    }

    private mutating func take(_ count: UInt64) throws(CBORError) -> ArraySlice<UInt8> {
        // Compared before the conversion: a length may exceed Int.
        guard count <= UInt64(bytes.endIndex - position) else { throw .truncated }
        let end = position + Int(count)
        defer { position = end }
        return bytes[position..<end]
    }

    private mutating func text(_ count: UInt64) throws(CBORError) -> String {
        let octets = try take(count)
        guard octets.count <= Self.maximumTextBytes else { throw .longText }
        let text = String(decoding: octets, as: UTF8.self)
        guard text.utf8.elementsEqual(octets) else { throw .notUTF8 }
        return text
    }

    /// Nothing is reserved for a stated number: elements have to follow one by one.
    private mutating func array(_ count: UInt64, _ depth: Int) throws(CBORError) -> [CBORValue] {
        guard count <= UInt64(Self.maximumValues) else { throw .tooManyValues }
        var elements: [CBORValue] = []
        for _ in 0..<count { elements.append(try next(depth: depth + 1)) }
        return elements
    }

    private mutating func map(_ count: UInt64, _ depth: Int) throws(CBORError) -> [CBORPair] {
        guard count <= UInt64(Self.maximumValues) else { throw .tooManyValues }
        var pairs: [CBORPair] = []
        for _ in 0..<count {
            let key = try next(depth: depth + 1)
            guard !pairs.contains(where: { $0.key == key }) else { throw .repeatedKey }
            pairs.append(CBORPair(key: key, value: try next(depth: depth + 1)))
        }
        return pairs
    }
}
