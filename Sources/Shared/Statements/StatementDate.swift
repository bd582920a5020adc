import SubGuardDomain

/// A date as a bank writes it, before the order of its numbers is known.
enum StatementDate: Sendable, Hashable {
    case day(CalendarDay)
    /// Two numbers whose order is not told by the text, and the year: `03/04/2026`, `03042026`.
    case numbers(first: Int, second: Int, year: Int)
    /// Three numbers of two digits: `26/01/03` or `03/01/26`.
    case short(Int, Int, Int)

    /// Reads `2026-01-31`, `20260131`, `31012026`, `31/01/2026`, `31.1.26`, `31 janv. 2026`, `5 de enero de 2026`,
    /// `Jan 31, 2026`, also with a time or a zone after it; nil for anything else.
    init?(_ text: String) {
        var tokens = DateTokens(text)
        guard let first = tokens.next() else { return nil }
        if case .number(let number, 8) = first {
            guard tokens.isAtTime, let date = Self.eightDigits(number) else { return nil }
            self = date
            return
        }
        var parts = [first]
        while parts.count < 3, let part = tokens.next() { parts.append(part) }
        // A weekday before the date.
        if case .word = parts[0], parts.count == 3, case .number(_, 1...2) = parts[1], case .month = parts[2],
            let year = tokens.next()
        {
            parts = [parts[1], parts[2], year]
        }
        guard parts.count == 3, tokens.isAtTime else { return nil }
        self.init(parts[0], parts[1], parts[2])
    }

    /// The year comes first or last; no number is a date in both ways, as no year begins like a month.
    private static func eightDigits(_ number: Int) -> StatementDate? {
        let years = 1900...2199
        if years.contains(number / 10000),
            let day = CalendarDay(year: number / 10000, month: number / 100 % 100, day: number % 100)
        {
            return .day(day)
        }
        let date = StatementDate.numbers(first: number / 1_000_000, second: number / 10000 % 100, year: number % 10000)
        let isDate = date.day(.dmy) != nil || date.day(.mdy) != nil
        return years.contains(number % 10000) && isDate ? date : nil
    }

    private init?(_ first: DateTokens.Token, _ second: DateTokens.Token, _ third: DateTokens.Token) {
        let made: CalendarDay?
        switch (first, second, third) {
        case (.number(let year, 4), .number(let month, 1...2), .number(let day, 1...2)):
            made = CalendarDay(year: year, month: month, day: day)
        case (.number(let first, 1...2), .number(let second, 1...2), .number(let year, 4)):
            self = .numbers(first: first, second: second, year: year)
            return
        case (.number(let first, 1...2), .number(let second, 1...2), .number(let third, 2)):
            self = .short(first, second, third)
            return
        case (.number(let day, 1...2), .month(let month), .number(let year, let width)) where width == 2 || width == 4:
            made = CalendarDay(year: Self.year(year, width), month: month, day: day)
        case (.month(let month), .number(let day, 1...2), .number(let year, let width)) where width == 2 || width == 4:
            made = CalendarDay(year: Self.year(year, width), month: month, day: day)
        default: made = nil
        }
        guard let made else { return nil }
        self = .day(made)
    }

    private static func year(_ number: Int, _ width: Int = 2) -> Int {
        width == 4 ? number : number >= 70 ? 1900 + number : 2000 + number
    }

    /// The day; nil when there is none in this order.
    func day(_ order: DateOrder) -> CalendarDay? {
        switch (self, order) {
        case (.day(let day), _): day
        case (.numbers(let first, let second, let year), .mdy): CalendarDay(year: year, month: first, day: second)
        case (.numbers(let first, let second, let year), _): CalendarDay(year: year, month: second, day: first)
        case (.short(let first, let second, let third), .dmy):
            CalendarDay(year: Self.year(third), month: second, day: first)
        case (.short(let first, let second, let third), .mdy):
            CalendarDay(year: Self.year(third), month: first, day: second)
        case (.short(let first, let second, let third), .ymd):
            CalendarDay(year: Self.year(first), month: second, day: third)
        }
    }
}

/// Splits a date into numbers, months and other words.
private struct DateTokens {
    enum Token {
        case number(Int, width: Int)
        case month(Int)
        /// A word that belongs to the date, such as `de`.
        case particle
        case word
    }

    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars.prefix(64))
        skipBlanks()
    }

    /// Whether nothing but a time and a zone is left.
    var isAtTime: Bool {
        guard position < scalars.count else { return true }
        let next = scalars[position]
        if isZone(scalars[position...]) { return true }
        guard next == " " || next == "T" || next == "t" || next == "," else { return next == "." }
        return scalars[position...].allSatisfy { scalar in
            ("0"..."9").contains(scalar) || scalar.properties.isAlphabetic || " :.,+-".unicodeScalars.contains(scalar)
        }
    }

    /// `Z`, `+02:00`.
    private func isZone(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
        if rest.count == 1 { return rest.first == "Z" || rest.first == "z" }
        guard let sign = rest.first, sign == "+" || sign == "-", rest.count == 6 else { return false }
        return rest.dropFirst().enumerated().allSatisfy { place, scalar in
            place == 2 ? scalar == ":" : ("0"..."9").contains(scalar)
        }
    }

    mutating func next() -> Token? {
        while let token = nextToken() {
            // `5 de enero de 2026`, `1er janvier`, `1st`, `den 5.`
            guard case .particle = token else { return token }
        }
        return nil
    }

    private mutating func nextToken() -> Token? {
        var cursor = position
        while cursor < scalars.count, "/-. ,'".unicodeScalars.contains(scalars[cursor]) { cursor += 1 }
        let start = cursor
        while cursor < scalars.count, ("0"..."9").contains(scalars[cursor]) { cursor += 1 }
        if cursor > start {
            guard cursor - start <= 8 else { return nil }
            position = cursor
            let value = scalars[start..<cursor].reduce(0) { $0 * 10 + Int($1.value) - 0x30 }
            return .number(value, width: cursor - start)
        }
        while cursor < scalars.count, scalars[cursor].properties.isAlphabetic { cursor += 1 }
        guard cursor > start else { return nil }
        position = cursor
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars[start..<cursor])
        let text = String(word)
        if let month = MonthNames.month(text) { return .month(month) }
        return MonthNames.particles.contains(text.lowercased()) ? .particle : .word
    }

    private mutating func skipBlanks() {
        while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
    }
}

/// Names of months in the languages of statements.
enum MonthNames {
    /// Words inside dates.
    static let particles: Set<String> = ["de", "del", "den", "der", "am", "er", "st", "nd", "rd", "th"]

    /// The month of a name or its abbreviation in English, French, German, Spanish, Italian, Dutch, Portuguese, Polish
    /// or a Nordic language.
    static func month(_ word: String) -> Int? {
        let folded = TextFolding.fold(word)
        guard folded.utf8.count >= 3 else { return nil }
        return byPrefix[String(folded.prefix(4))] ?? byPrefix[String(folded.prefix(3))]
    }

    private static let byPrefix: [String: Int] = {
        let names = [
            "jan ene gen sty", "feb fev lut", "mar mrz mrt maer maar", "apr avr abr kwi", "may mai mei mag maj",
            "jun juin giu cze", "jul juil lug lip", "aug aou ago sie", "sep set wrz", "oct okt ott out paz", "nov lis",
            "dec dez dic des gru",
        ]
        var months: [String: Int] = [:]
        for (index, list) in names.enumerated() {
            for name in list.split(separator: " ") { months[String(name)] = index + 1 }
        }
        return months
    }()
}
