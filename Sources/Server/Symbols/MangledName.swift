/// Judges by how much a mangled name grows when it is demangled, without demangling it: a few hundred bytes can become
/// gigabytes. It may judge too high, never too low.
struct MangledName {
    private let bytes: [UInt8]
    private var place = 0

    init(_ name: String) { bytes = Array(name.utf8) }

    /// Each of them may double the readable name. `Int.max` for what no compiler writes.
    static func doublings(ofNative name: String) -> Int {
        var name = MangledName(name)
        return name.nativeDoublings()
    }

    /// For Swift; see ``doublings(ofNative:)``.
    static func doublings(ofSwift name: String) -> Int {
        var name = MangledName(name)
        return name.swiftDoublings() ?? .max
    }

    // MARK: C++

    /// References to earlier parts (Itanium C++ ABI, section 5.1): `S_`, `S0_`, `T_`, `T1_` … An expansion of a parameter
    /// pack repeats its pattern for each element, and one in another multiplies.
    private mutating func nativeDoublings() -> Int {
        var (references, expansions, hasPack) = (0, 0, false)
        while let first = next() {
            switch first {
            case UInt8(ascii: "S"), UInt8(ascii: "T"):
                var end = place
                while end < bytes.count, Self.isDigit(bytes[end]) || Self.isUpper(bytes[end]) { end += 1 }
                if end < bytes.count, bytes[end] == UInt8(ascii: "_") { references += 1 }
            case UInt8(ascii: "D") where peek == UInt8(ascii: "p"), UInt8(ascii: "s") where peek == UInt8(ascii: "p"):
                expansions += 1
            case UInt8(ascii: "J"): hasPack = true
            default: break
            }
        }
        return hasPack && expansions > 1 ? .max : references + (hasPack ? expansions * Self.doublingsOfPack : 0)
    }

    /// A pack of 64 elements is long.
    private static let doublingsOfPack = 6

    // MARK: Swift

    /// No readable name has more characters of identifiers, apart from references.
    private static let mostIdentifierBytes = 4096

    /// Operators without operands ("Mangling" in Swift's documentation).
    private static let complete = Set("CVOPEFZGKDNytcpmlduxnhzas_".utf8)
    private static let afterY = Set("abgtuk".utf8)

    /// Nil for what grows without bound. Digits are the length of an identifier only where an operator begins. Where that is
    /// not sure, identifiers are read as if they were operators.
    private mutating func swiftDoublings() -> Int? {
        var (count, isSure) = (0, true)
        var (longest, total) = (0, 0)
        place = (bytes.first == UInt8(ascii: "_") ? 1 : 0) + "$s".utf8.count
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "A"):
                count += references()
            case UInt8(ascii: "S"):
                if Self.isDigit(peek) {
                    // A repetition, or the index of a reference.
                    let number = number()
                    count += peek == UInt8(ascii: "_") ? 1 : Self.doublings(ofCopies: number)
                }
                guard let kind = next() else { return count }
                if kind == UInt8(ascii: "_") { count += 1 }
            case UInt8(ascii: "0") where isSure && peek == UInt8(ascii: "0"):
                // Letters of other scripts: a literal with another encoding.
                place += 1
                let length = number()
                place = min(bytes.count, place + length)
                (longest, total) = (max(longest, length * 4), total + length * 4)
            case UInt8(ascii: "0"):
                guard isSure else {
                    while Self.isLower(peek) || Self.isUpper(peek) { (count, place) = (count + 1, place + 1) }
                    continue
                }
                let (words, length) = wordsAndParts()
                longest = max(longest, words * longest + length)
                total += longest
            case _ where Self.isDigit(byte):
                place -= 1
                let length = number()
                guard isSure else { continue }
                place = min(bytes.count, place + length)
                (longest, total) = (max(longest, length), total + length)
            case UInt8(ascii: "v"), UInt8(ascii: "i"), UInt8(ascii: "f"):
                // The kind of an accessor or of a function; some have an index.
                guard let kind = next() else { return count }
                if byte == UInt8(ascii: "f"), [UInt8(ascii: "A"), UInt8(ascii: "U"), UInt8(ascii: "u")].contains(kind) {
                    isSure = isSure && skipIndex()
                } else {
                    isSure = isSure && (Self.isLower(kind) || Self.isUpper(kind))
                }
            case UInt8(ascii: "L"):
                if peek == UInt8(ascii: "L") { place += 1 } else { isSure = isSure && skipIndex() }
            case UInt8(ascii: "q"), UInt8(ascii: "r"): isSure = isSure && skipIndex()
            case UInt8(ascii: "Y"):
                isSure = isSure && Self.afterY.contains(peek)
                place += 1
            default: isSure = isSure && Self.complete.contains(byte)
            }
            guard total <= Self.mostIdentifierBytes else { return nil }
        }
        return count
    }

    /// An identifier of words of earlier ones, the last of which is a capital letter, and of parts of its own, each after its
    /// length.
    private mutating func wordsAndParts() -> (words: Int, length: Int) {
        var (words, length, hasWords) = (0, 0, true)
        repeat {
            while hasWords, Self.isLower(peek) || Self.isUpper(peek) {
                hasWords = Self.isLower(peek)
                (words, place) = (words + 1, place + 1)
            }
            let part = number()
            guard part > 0 else { break }
            place = min(bytes.count, place + part)
            length += part
        } while hasWords
        return (words, length)
    }

    /// The references after an `A`: `AB`, `AbC`, `A12_`, and with a repetition `A2B`.
    private mutating func references() -> Int {
        var count = 0
        while let byte = next() {
            if Self.isLower(byte) {
                count += 1
            } else if Self.isUpper(byte) || byte == UInt8(ascii: "_") {
                return count + 1
            } else if Self.isDigit(byte) {
                place -= 1
                let number = number()
                if peek == UInt8(ascii: "_") {
                    place += 1
                    return count + 1
                }
                // The letter that follows is counted once by itself.
                count += max(0, Self.doublings(ofCopies: number) - 1)
            } else {
                return count
            }
        }
        return count
    }

    /// What is there N times more grows at most by as many doublings as N has binary digits.
    private static func doublings(ofCopies count: Int) -> Int { Int.bitWidth - count.leadingZeroBitCount }

    /// `_`, `0_`, `1_` …
    private mutating func skipIndex() -> Bool {
        _ = number()
        guard peek == UInt8(ascii: "_") else { return false }
        place += 1
        return true
    }

    // MARK: Bytes

    /// Zero at the end.
    private var peek: UInt8 { place < bytes.count ? bytes[place] : 0 }

    private mutating func next() -> UInt8? {
        guard place < bytes.count else { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    private mutating func number() -> Int {
        var value = 0
        while Self.isDigit(peek) {
            value = min(value * 10 + Int(peek - 0x30), bytes.count)
            place += 1
        }
        return value
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
