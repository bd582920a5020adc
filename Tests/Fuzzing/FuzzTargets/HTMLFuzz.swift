import HTML

/// Input: a program for the writer. The page is then read back by a scanner of its own, which must find exactly the
/// elements, attributes and texts that were written.
enum HTMLFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        var program = Program(input: input)
        var html = HTMLWriter()
        program.write(&html, depth: 0)
        var scanner = Scanner(bytes: html.bytes)
        try scanner.run()
        try hold(scanner.tokens == program.tokens, "read back as \(scanner.tokens) instead of \(program.tokens)")
    }

    enum Token: Equatable {
        case start(String)
        case attribute(String, String)
        case text(String)
        case end(String)
    }

    /// Writes, and notes what it writes.
    private struct Program {
        private let input: [UInt8]
        private var position = 0
        private(set) var tokens: [Token] = []

        init(input: [UInt8]) { self.input = input }

        private mutating func next() -> UInt8? {
            guard position < input.count else { return nil }
            defer { position += 1 }
            return input[position]
        }

        private mutating func text() -> String {
            let count = min(Int(next() ?? 0) & 31, input.count - position)
            defer { position += count }
            return String(decoding: input[position..<position + count], as: UTF8.self)
        }

        private mutating func note(text: String) {
            let text = Self.printable(text)
            guard !text.isEmpty else { return }
            if case .text(let before)? = tokens.last {
                tokens[tokens.count - 1] = .text(before + text)
            } else {
                tokens.append(.text(text))
            }
        }

        /// What the writer promises for characters that HTML forbids.
        private static func printable(_ text: String) -> String {
            var scalars = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                let isForbidden = scalar.value < 0x20 && ![9, 10, 13].contains(scalar.value) || scalar.value == 0x7F
                scalars.append(isForbidden ? "\u{FFFD}" : scalar)
            }
            return String(scalars)
        }

        mutating func write(_ html: inout HTMLWriter, depth: Int) {
            while let code = next() {
                switch code & 7 {
                case 0, 1:
                    let text = text()
                    note(text: text)
                    html.text(text)
                case 2 where depth < 6:
                    let title = text()
                    tokens += [.start("div"), .attribute("title", Self.printable(title))]
                    html.add(.div, .title(title)) { write(&$0, depth: depth + 1) }
                    tokens.append(.end("div"))
                case 3:
                    let given = text()
                    tokens.append(.start("a"))
                    let link = HTMLLink(checking: given)
                    if let link { tokens.append(.attribute("href", link.text)) }
                    html.add(.a, link.map { .href($0) }) { _ in }
                    tokens.append(.end("a"))
                case 4:
                    let parts = [text(), text()]
                    let link = HTMLLink(path: parts, query: [(parts[0], parts[1])])
                    tokens += [.start("a"), .attribute("href", link.text), .end("a")]
                    html.add(.a, .href(link)) { _ in }
                case 5:
                    let value = text()
                    tokens += [.start("input"), .attribute("value", Self.printable(value))]
                    html.add(.input, .value(value))
                case 6:
                    let value = text()
                    tokens.append(.start("textarea"))
                    note(text: "\n" + value)
                    html.add(.textarea, text: value)
                    tokens.append(.end("textarea"))
                default: return
                }
            }
        }
    }

    /// Reads the small part of HTML that the writer may produce, and nothing more.
    private struct Scanner {
        let bytes: [UInt8]
        private var position = 0
        private(set) var tokens: [Token] = []

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func run() throws(BrokenPromise) {
            var open: [String] = []
            while position < bytes.count {
                guard bytes[position] == UInt8(ascii: "<") else {
                    tokens.append(.text(try unescaped(until: UInt8(ascii: "<"))))
                    continue
                }
                position += 1
                if bytes[position] == UInt8(ascii: "/") {
                    position += 1
                    let name = try name()
                    try hold(open.popLast() == name, "an end tag of another element")
                    try take(">")
                    tokens.append(.end(name))
                    continue
                }
                let name = try name()
                tokens.append(.start(name))
                while position < bytes.count, bytes[position] == UInt8(ascii: " ") {
                    position += 1
                    let attribute = try self.name()
                    try take("=")
                    try take("\"")
                    tokens.append(.attribute(attribute, try unescaped(until: UInt8(ascii: "\""))))
                    try take("\"")
                }
                try take(">")
                if name != "input" { open.append(name) }
            }
            try hold(open.isEmpty, "an element without an end")
            for case .attribute("href", let target) in tokens {
                let isSafe =
                    target.hasPrefix("/") && !target.hasPrefix("//") || target.lowercased().hasPrefix("https://")
                    || target.lowercased().hasPrefix("mailto:")
                try hold(isSafe && !target.contains("\\"), "a link to \(target)")
            }
        }

        private mutating func take(_ text: String) throws(BrokenPromise) {
            try hold(bytes[position...].starts(with: text.utf8), "no \(text) at \(position)")
            position += text.utf8.count
        }

        private mutating func name() throws(BrokenPromise) -> String {
            let start = position
            while position < bytes.count, (0x61...0x7A).contains(bytes[position]) { position += 1 }
            try hold(position > start, "no name at \(start)")
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        private mutating func unescaped(until end: UInt8) throws(BrokenPromise) -> String {
            let references: [(String, UInt8)] = [
                ("&amp;", 0x26), ("&lt;", 0x3C), ("&gt;", 0x3E), ("&quot;", 0x22), ("&#39;", 0x27), ("&#13;", 0x0D),
            ]
            var text: [UInt8] = []
            while position < bytes.count, bytes[position] != end {
                let octet = bytes[position]
                try hold(![0x3C, 0x3E, 0x22, 0x27, 0x0D, 0].contains(octet), "an octet \(octet) that is not escaped")
                if octet == 0x26 {
                    let reference = references.first { bytes[position...].starts(with: $0.0.utf8) }
                    guard let reference else { throw BrokenPromise("an unknown reference at \(position)") }
                    text.append(reference.1)
                    position += reference.0.utf8.count
                } else {
                    text.append(octet)
                    position += 1
                }
            }
            return String(decoding: text, as: UTF8.self)
        }
    }
}
