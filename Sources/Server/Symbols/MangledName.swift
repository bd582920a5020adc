/// Counts the references of a mangled name to parts of itself, without demangling it. It may count too many, never too few.
struct MangledName {
    private let bytes: [UInt8]

    init(_ name: String) { bytes = Array(name.utf8) }

    /// Of C++ (Itanium C++ ABI, section 5.1): `S_`, `S0_`, `T_`, `T1_` …
    var nativeReferences: Int {
        var count = 0
        var place = 0
        while place < bytes.count {
            let first = bytes[place]
            place += 1
            guard first == UInt8(ascii: "S") || first == UInt8(ascii: "T") else { continue }
            var end = place
            while end < bytes.count, Self.isDigit(bytes[end]) || Self.isUpper(bytes[end]) { end += 1 }
            if end < bytes.count, bytes[end] == UInt8(ascii: "_") { count += 1 }
        }
        return count
    }

    /// Of Swift ("Mangling", Substitutions): `AB`, `AbC`, `A12_`. A repetition, such as `A9B`, counts as too many.
    var swiftReferences: Int {
        var count = 0
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "0") {
                // An identifier that begins with words of earlier ones; its own part follows with a length.
                while place < bytes.count, Self.isLower(bytes[place]) { place += 1 }
                if place < bytes.count, Self.isUpper(bytes[place]) { place += 1 }
            } else if Self.isDigit(byte) {
                place -= 1
                let length = number(&place)
                // Identifiers hold no references.
                place = min(bytes.count, place + length)
            } else if byte == UInt8(ascii: "A") {
                guard let found = references(&place) else { return .max }
                count += found
            }
        }
        return count
    }

    /// The references after an `A`; nil for a repetition.
    private func references(_ place: inout Int) -> Int? {
        var count = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if Self.isLower(byte) {
                count += 1
            } else if Self.isUpper(byte) || byte == UInt8(ascii: "_") {
                return count + 1
            } else if Self.isDigit(byte) {
                place -= 1
                _ = number(&place)
                guard place < bytes.count, bytes[place] == UInt8(ascii: "_") else { return nil }
            } else {
                return count
            }
        }
        return count
    }

    private func number(_ place: inout Int) -> Int {
        var value = 0
        while place < bytes.count, Self.isDigit(bytes[place]) {
            value = min(value * 10 + Int(bytes[place] - 0x30), bytes.count)
            place += 1
        }
        return value
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
