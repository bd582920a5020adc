import TextCoding

/// A line of what `nm`, `llvm-nm`, `dwarfdump --uuid` or `atos` print.
///
/// Sources: POSIX `nm`, and the outputs of GNU nm, llvm-nm and Apple's tools.
enum SymbolLine {
    /// A function.
    case symbol(ImageSymbol, isOfMachO: Bool)
    /// A name that says where the image begins.
    case base(UInt64, isOfMachO: Bool)
    /// `UUID: 5F3A… (arm64) App`.
    case identity(debugID: String, architecture: String, name: String)
    /// The heading of an image or of a member of an archive.
    case heading
    /// Data, an undefined symbol, or a blank line.
    case other

    /// Nil for a line of none of these.
    init?(_ line: Substring) {
        let trimmed = line.trimmingPrefix(while: { $0 == " " || $0 == "\t" })
        guard !trimmed.isEmpty else {
            self = .other
            return
        }
        if trimmed.hasPrefix("UUID: ") {
            guard let identity = Self.identity(trimmed.dropFirst(6)) else { return nil }
            self = identity
        } else if trimmed.hasPrefix("0x"), let found = Self.answer(trimmed) {
            self = found
        } else if let found = Self.berkeley(trimmed) ?? Self.portable(trimmed) ?? Self.undefined(line) {
            self = found
        } else if trimmed.hasSuffix(":") {
            self = .heading
        } else {
            return nil
        }
    }

    /// `5F3A… (arm64) path/App`.
    private static func identity(_ rest: Substring) -> SymbolLine? {
        let parts = rest.split(separator: " ", maxSplits: 2)
        guard let id = parts.first, parts.count > 1, parts[1].hasPrefix("("), parts[1].hasSuffix(")") else {
            return nil
        }
        let path = parts.count > 2 ? parts[2] : ""
        return .identity(
            debugID: String(id), architecture: String(parts[1].dropFirst().dropLast()),
            name: String(path.split(separator: "/").last ?? ""))
    }

    // MARK: nm

    /// `0000000000001139 T main`, with a size before the type, or with Apple's sections in its place.
    private static func berkeley(_ line: Substring) -> SymbolLine? {
        guard let (address, afterAddress) = number(line, digits: 8...16) else { return nil }
        if afterAddress.hasPrefix("(") { return section(afterAddress, address) }
        if let (size, afterSize) = number(afterAddress, digits: 8...16), let (type, name) = type(afterSize) {
            return symbol(address, size: size, type, name)
        }
        if let (type, name) = type(afterAddress) { return symbol(address, size: 0, type, name) }
        return answer(line)
    }

    /// A letter and the name.
    private static func type(_ text: Substring) -> (Character, Substring)? {
        guard let type = text.first, type.isASCII, type.isLetter || type == "-" || type == "?" else { return nil }
        let rest = text.dropFirst()
        guard rest.first == " " else { return nil }
        return (type, rest.dropFirst())
    }

    /// `(__TEXT,__text) non-external _name`.
    private static func section(_ text: Substring, _ address: UInt64) -> SymbolLine? {
        guard let end = text.firstIndex(of: ")") else { return nil }
        let section = text[text.index(after: text.startIndex)..<end]
        var rest = text[text.index(after: end)...].trimmingPrefix(" ")
        var isGlobal = false
        var goesOn = true
        while goesOn {
            goesOn = false
            for word in words where rest.hasPrefix(word) {
                isGlobal = isGlobal || word == "external "
                rest = rest.dropFirst(word.count)
                goesOn = true
            }
        }
        guard hasLetters(rest) else { return nil }
        if let base = base(rest, address) { return base }
        let isCode = section.hasPrefix("__TEXT,") && (section.contains("text") || section.contains("stub"))
        guard isCode, !isLocalLabel(rest) else { return .other }
        return .symbol(
            ImageSymbol(address: address, name: String(rest), rank: isGlobal ? 0 : 1), isOfMachO: true)
    }

    /// What Apple's nm and llvm-nm put between section and name.
    private static let words = [
        "non-external ", "external ", "weak ", "private ", "[referenced dynamically] ", "[no dead strip] ",
        "(was a private external) ", "[Thumb] ", "[alt entry] ", "[cold func] ", "[symbol resolver] ",
    ]

    /// `main T 1139 16`: the portable format. Names may have blanks, so it is read from its end.
    private static func portable(_ line: Substring) -> SymbolLine? {
        let words = line.split(separator: " ")
        for numbers in [2, 1] where words.count > numbers + 1 {
            let type = words[words.count - numbers - 1]
            guard type.count == 1, let letter = type.first, letter.isLetter,
                let (address, _) = number(words[words.count - numbers], digits: 1...16)
            else { continue }
            let size = numbers == 2 ? number(words[words.count - 1], digits: 1...16)?.0 : 0
            guard let size else { continue }
            return symbol(address, size: size, letter, line[..<words[words.count - numbers - 2].endIndex])
        }
        return words.count > 1 && ["U", "w", "v"].contains(words[words.count - 1]) ? .other : nil
    }

    /// `                 U printf`.
    private static func undefined(_ line: Substring) -> SymbolLine? {
        let rest = line.drop { $0 == " " }
        guard rest.startIndex != line.startIndex else { return nil }
        return type(rest) != nil || rest.hasPrefix("(undefined") ? .other : nil
    }

    private static func symbol(
        _ address: UInt64, size: UInt64, _ type: Character, _ name: Substring
    ) -> SymbolLine? {
        guard hasLetters(name) else { return nil }
        if let base = base(name, address) { return base }
        guard "TtWiu".contains(type), !isLocalLabel(name) else { return .other }
        let rank: UInt8 = type == "T" ? 0 : type == "t" ? 1 : 2
        return .symbol(ImageSymbol(address: address, size: size, name: String(name), rank: rank), isOfMachO: false)
    }

    private static func base(_ name: Substring, _ address: UInt64) -> SymbolLine? {
        switch name {
        case "__mh_execute_header", "__mh_dylib_header", "__mh_bundle_header": .base(address, isOfMachO: true)
        case "__executable_start", "__ehdr_start": .base(address, isOfMachO: false)
        default: nil
        }
    }

    /// Names of places within functions.
    private static func isLocalLabel(_ name: Substring) -> Bool {
        name.hasPrefix("ltmp") || name.hasPrefix(".L")
            || ["$x", "$d", "$t", "$a"].contains(name.prefix(while: { $0 != "." }))
    }

    // MARK: atos

    /// `0x100003f50 main (in App) (main.swift:12)`: an address that was asked for, and what atos answered.
    private static func answer(_ line: Substring) -> SymbolLine? {
        let bare = line.hasPrefix("0x") ? line.dropFirst(2) : line
        guard let (address, text) = number(bare, digits: 1...16), let image = text.firstRange(of: " (in ") else {
            return nil
        }
        let name = String(text[..<image.lowerBound])
        guard hasLetters(name[...]), let end = text[image.upperBound...].firstIndex(of: ")") else { return nil }
        let rest = text[text.index(after: end)...].trimmingPrefix(" ")
        // The reader refuses addresses of more than 63 bits; with them, the sum below could overflow.
        if rest.hasPrefix("+ "), let distance = UInt64(rest.dropFirst(2)), distance <= address, address >> 63 == 0 {
            return .symbol(
                ImageSymbol(address: address - distance, size: distance + 1, name: name), isOfMachO: false)
        }
        var lines: [ImageSymbol.Line] = []
        if rest.hasPrefix("("), rest.hasSuffix(")"), let colon = rest.lastIndex(of: ":"),
            let line = UInt64(rest[rest.index(after: colon)...].dropLast()), line > 0
        {
            let file = rest[rest.index(after: rest.startIndex)..<colon].split(separator: "/").last ?? ""
            lines = [ImageSymbol.Line(address: address, size: 1, number: line, file: String(file))]
        }
        return .symbol(ImageSymbol(address: address, size: 1, name: name, lines: lines), isOfMachO: false)
    }

    // MARK: Parts

    static func hasLetters(_ name: Substring) -> Bool { name.contains { $0 != " " && $0 != "\t" } }

    /// A hexadecimal number of so many digits, and what follows the blanks after it. Nil unless a blank or the end
    /// follows the digits.
    static func number(_ text: Substring, digits: ClosedRange<Int>) -> (UInt64, Substring)? {
        var value: UInt64 = 0
        var count = 0
        var place = text.startIndex
        while place < text.endIndex, let digit = text.utf8[place].hexDigitValue {
            count += 1
            guard count <= digits.upperBound else { return nil }
            value = value << 4 | UInt64(digit)
            place = text.utf8.index(after: place)
        }
        guard count >= digits.lowerBound else { return nil }
        let rest = text[place...]
        guard rest.isEmpty || rest.utf8.first == 0x20 || rest.utf8.first == 0x09 else { return nil }
        return (value, rest.trimmingPrefix(while: { $0 == " " || $0 == "\t" }))
    }
}
