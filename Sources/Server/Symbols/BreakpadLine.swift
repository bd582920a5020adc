/// A record of a Breakpad symbol file. Addresses count from the image's base.
///
/// Source: Breakpad, "Symbol Files". Records about unwinding, and those about inlined functions, are not used: a place
/// in an inlined function has the name of the function that it became a part of, as without these records.
enum BreakpadLine {
    case module(architecture: String, debugID: String, name: String)
    case file(number: Int, name: String)
    case function(ImageSymbol)
    case line(address: UInt64, size: UInt64, number: UInt64, file: Int)
    case other

    /// Nil for a line that is no record.
    init?(_ line: Substring) {
        let kind = line.prefix { $0 != " " }
        let rest = line.dropFirst(kind.count + 1)
        let found: BreakpadLine?
        switch kind {
        case "MODULE": found = Self.module(rest)
        case "FILE": found = Self.file(rest)
        case "FUNC": found = Self.function(rest, numbers: 3)
        case "PUBLIC": found = Self.function(rest, numbers: 2)
        case "INFO", "STACK", "INLINE", "INLINE_ORIGIN", "": found = .other
        default: found = Self.line(line)
        }
        guard let found else { return nil }
        self = found
    }

    /// `mac arm64 5F3A…0 App`.
    private static func module(_ rest: Substring) -> BreakpadLine? {
        let parts = rest.split(separator: " ", maxSplits: 3)
        guard parts.count == 4 else { return nil }
        return .module(architecture: String(parts[1]), debugID: String(parts[2]), name: String(parts[3]))
    }

    /// `12 /src/App/Cart.swift`.
    private static func file(_ rest: Substring) -> BreakpadLine? {
        let parts = rest.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]), number >= 0 else { return nil }
        return .file(number: number, name: String(parts[1]))
    }

    /// `[m] 3f50 2c 0 name` or, of what is only known to be there, `[m] 3f50 0 name`.
    private static func function(_ rest: Substring, numbers: Int) -> BreakpadLine? {
        var rest = rest
        if rest.hasPrefix("m ") { rest = rest.dropFirst(2) }
        var values: [UInt64] = []
        for _ in 0..<numbers {
            guard let (value, after) = SymbolLine.number(rest, digits: 1...16) else { return nil }
            values.append(value)
            rest = after
        }
        guard SymbolLine.hasLetters(rest) else { return nil }
        return .function(
            ImageSymbol(
                address: values[0], size: numbers == 3 ? values[1] : 0, name: String(rest),
                rank: numbers == 3 ? 0 : 1))
    }

    /// `3f50 8 12 3`: address, size, line and file.
    private static func line(_ line: Substring) -> BreakpadLine? {
        guard let (address, rest) = SymbolLine.number(line, digits: 1...16),
            let (size, decimals) = SymbolLine.number(rest, digits: 1...16)
        else { return nil }
        let parts = decimals.split(separator: " ")
        guard parts.count == 2, let number = UInt64(parts[0]), let file = Int(parts[1]), file >= 0 else { return nil }
        return .line(address: address, size: size, number: number, file: file)
    }
}
