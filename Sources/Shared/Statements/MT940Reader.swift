import SubGuardDomain

/// Reads SWIFT MT940: fields such as `:61:`, one statement after the other, with or without the bank's own lines
/// around.
struct MT940Reader {
    /// The code of the opening balance; empty without any.
    private var code = ""
    private var opening: Int64?
    private var total: Int64 = 0
    private var entry: Entry?

    private struct Entry {
        var row: Int
        var line: String
        var words = ""
    }

    /// Whether a text begins like a statement.
    static func isStatement(_ head: String) -> Bool {
        let lines = head.split(whereSeparator: \.isNewline).prefix(12)
        let starts = lines.contains { $0.hasPrefix(":20:") || $0.hasSuffix("{4:") || $0.contains("{4::20:") }
        return starts && head.contains(":25:") && head.contains(":60")
    }

    static func read(_ text: [UInt8], _ options: StatementOptions, into statement: inout Statement) throws(Fault) {
        var reader = MT940Reader()
        var tag = ""
        var content = ""
        var start = 0
        var isComplete = true
        for (number, line) in String(decoding: text, as: UTF8.self).parts(separatedBy: \.isNewline).enumerated() {
            guard line.utf8.count <= MarkupReader.maximumTextBytes else {
                throw Fault("file", .invalidFormat, "A line is too long.")
            }
            if let (next, rest) = Self.field(line) {
                try reader.take(tag, content, start, options, &statement)
                (tag, content, start) = (next, String(rest), number + 1)
                if next == "60F" || next == "60M" { isComplete = false }
                if next == "62F" || next == "62M" { isComplete = true }
            } else if line.hasPrefix("-") && line.utf8.count <= 3 || line.hasPrefix("{") || line.hasPrefix("-}") {
                try reader.take(tag, content, start, options, &statement)
                (tag, content) = ("", "")
            } else if !tag.isEmpty, content.utf8.count < MarkupReader.maximumTextBytes {
                content += "\n" + line
            }
        }
        try reader.take(tag, content, start, options, &statement)
        try reader.finish(options, &statement)
        guard isComplete else { throw .statementEndsTooEarly }
    }

    /// `:61:2601…` or `{4::20:…`; nil for a line that continues a field.
    private static func field(_ line: Substring) -> (tag: String, rest: Substring)? {
        var line = line
        if let block = line.firstRange(of: "{4:") { line = line[block.upperBound...] }
        guard line.first == ":" else { return nil }
        let tag = line.dropFirst().prefix { $0.isNumber || ("A"..."Z").contains($0) }
        guard (2...3).contains(tag.count), tag.prefix(2).allSatisfy(\.isNumber) else { return nil }
        let rest = line[tag.endIndex...]
        guard rest.first == ":" else { return nil }
        return (String(tag), rest.dropFirst())
    }

    private mutating func take(
        _ tag: String, _ content: String, _ row: Int, _ options: StatementOptions, _ statement: inout Statement
    ) throws(Fault) {
        switch tag {
        case "20":
            try finish(options, &statement)
            (code, opening) = ("", nil)
        case "60F", "60M":
            try finish(options, &statement)
            let balance = MT940Balance(content)
            (code, opening, total) = (balance?.code ?? "", balance?.units, 0)
        case "61":
            try finish(options, &statement)
            entry = Entry(row: row, line: content)
        case "86": entry?.words = content
        case "62F", "62M":
            try finish(options, &statement)
            if let opening, let closing = MT940Balance(content)?.units, opening &+ total != closing {
                statement.notes.append(.balancesDisagree)
            }
            opening = nil
        default: break
        }
    }

    /// Adds the entry that was read last.
    private mutating func finish(_ options: StatementOptions, _ statement: inout Statement) throws(Fault) {
        guard let entry else { return }
        self.entry = nil
        guard let line = MT940Line(entry.line) else {
            return try statement.refuse(
                entry.row, Fault("row", .invalidFormat, "Not a valid entry of MT940."), column: ":61:",
                value: entry.line)
        }
        total &+= line.isDebit ? -(line.amount.scaled ?? 0) : line.amount.scaled ?? 0
        guard let currency = try statement.currency(of: code, options, entry.row, column: ":60F:") else { return }
        do throws(Fault) {
            var money = try line.amount.money(in: currency)
            if line.isDebit { money.minorUnits.negate() }
            let words = MT940Words(entry.words, line.further)
            try statement.take(
                StatementBooking(
                    on: line.day, amount: money, payee: words.payee, note: words.note, kind: words.kind,
                    row: entry.row))
        } catch {
            if error.pointer == "file" { throw error }
            try statement.refuse(entry.row, error, column: ":61:", value: entry.line)
        }
    }
}

/// `C260131EUR1234,56`.
private struct MT940Balance {
    var code: String
    /// Nil for an amount that cannot be read.
    var units: Int64?

    init?(_ text: String) {
        guard let sign = text.first, sign == "C" || sign == "D" else { return nil }
        let rest = text.dropFirst(7)
        code = String(rest.prefix(3))
        guard StatementColumnContent.isCurrencyCode(code) else { return nil }
        units = StatementAmount(String(rest.dropFirst(3).prefix { !$0.isNewline }), mark: 0x2C)?.scaled
        if sign == "D" { units?.negate() }
    }
}

/// `2601310201DR13,49NDDTNONREF//123`, with further words on the next line.
private struct MT940Line {
    var day: CalendarDay
    var isDebit: Bool
    var amount: StatementAmount
    var further: String

    init?(_ text: String) {
        let lines = text.split(separator: "\n", maxSplits: 1)
        guard let line = lines.first else { return nil }
        further = lines.count > 1 ? CatalogueRules.trimmed(String(lines[1])) : ""
        var rest = line
        guard let value = Self.number(&rest, 6),
            let valueDay = CalendarDay(year: 2000 + value / 10000, month: value / 100 % 100, day: value % 100)
        else { return nil }
        day = valueDay
        // Some banks leave the day of the booking blank.
        rest = rest.drop { $0 == " " }
        if rest.prefix(4).utf8.count == 4, rest.prefix(4).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let booked = Self.number(&rest, 4)
        {
            // The year is that of the value date, or the one beside it.
            let days = [-1, 0, 1].compactMap {
                CalendarDay(year: valueDay.year + $0, month: booked / 100, day: booked % 100)
            }
            if let near = days.min(by: { abs($0.days(until: valueDay)) < abs($1.days(until: valueDay)) }) { day = near }
        }
        let marks = rest.prefix { $0.isLetter }
        let mark = marks.prefix(2)
        // A reversal of a credit takes the money back; the third letter is that of the currency.
        switch mark {
        case "RC", "ED": isDebit = true
        case "RD", "EC": isDebit = false
        default:
            guard let first = marks.first, first == "D" || first == "C" else { return nil }
            isDebit = first == "D"
        }
        let digits = rest.dropFirst(marks.count).prefix { $0.isNumber || $0 == "," || $0 == "." }
        guard let amount = StatementAmount(String(digits), mark: digits.contains(",") ? 0x2C : 0x2E) else { return nil }
        self.amount = amount
    }

    private static func number(_ text: inout Substring, _ width: Int) -> Int? {
        let digits = text.prefix(width)
        guard digits.utf8.count == width, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        text = text.dropFirst(width)
        return Int(digits)
    }
}

/// The words of an entry: in numbered parts, as German banks write them, in named ones, as Dutch ones do, or free.
private struct MT940Words {
    var payee: String
    var note = ""
    var kind = ""

    init(_ text: String, _ further: String) {
        let joined = text.split(separator: "\n").map(String.init)
        let whole = joined.joined()
        if let parts = Self.numbered(whole) {
            let name = [32, 33].compactMap { parts[$0] }.joined()
            let purpose = (Array(20...29) + Array(60...63)).compactMap { parts[$0] }.joined(separator: " ")
            kind = parts[0] ?? ""
            (payee, note) = name.isEmpty ? (purpose, "") : (name, purpose)
        } else if let words = StructuredWords(whole) {
            (payee, note) = (words.payee, CatalogueRules.trimmed(whole.replacing("/", with: " ")))
        } else {
            payee = CatalogueRules.trimmed(joined.joined(separator: " "))
        }
        payee = CatalogueRules.trimmed(payee)
        if payee.isEmpty { payee = further }
    }

    /// `105?00BASISLASTSCHRIFT?20SVWZ+…?32NETFLIX`; the mark before the numbers is the bank's choice.
    private static func numbered(_ text: String) -> [Int: String]? {
        let code = text.prefix { $0.isNumber }
        guard code.count == 3 || code.isEmpty, let mark = text.dropFirst(code.count).first, !mark.isLetter,
            !mark.isNumber, mark != "/", mark != " "
        else { return nil }
        var parts: [Int: String] = [:]
        for part in text.dropFirst(code.count).split(separator: mark) {
            guard let number = Int(part.prefix(2)), part.prefix(2).allSatisfy(\.isNumber) else { continue }
            parts[number, default: ""] += part.dropFirst(2)
        }
        return parts.isEmpty ? nil : parts
    }
}
