/// A date as people write it, in English or French: `15/01/2027`, `15 janvier`, `tomorrow`, `lundi`, `in 3 days`,
/// `le 5`.
///
/// Reading it needs no clock; ``day(today:towards:)`` resolves it to a day. Case, accents and punctuation are ignored.
/// A day given by numbers only precedes its month.
public struct DayExpression: Sendable, Hashable {
    /// Which way a date without a year, or a weekday, is resolved.
    public enum Direction: Sendable {
        /// The next one: `15 janvier` from today on, `lundi` after today.
        case next
        /// The last one: `15 janvier` up to today, `lundi` before today.
        case last
    }

    private enum Form: Hashable {
        case day(CalendarDay)
        case dayOfMonth(month: Int, day: Int)
        /// In any month that has it.
        case dayOfAnyMonth(Int)
        /// With the direction that the text names, as `lundi dernier` does.
        case weekday(Int, Direction?)
        case offset(days: Int, months: Int)
    }

    private let form: Form

    /// Nil for a text that is no date, for a day that does not exist, such as `30 février`, and for an ambiguous one.
    public init?(_ text: String) {
        if let day = DayText.iso(text).flatMap({ CalendarDay(iso: $0) }) {
            form = .day(day)
            return
        }
        // A minus sign would be lost among the punctuation: `in -3 days` is not `in 3 days`.
        guard text.utf8.count <= 60,
            !text.split(separator: " ").contains(where: { $0.first == "-" || $0.first == "−" }),
            let form = Self.shortDate(text)
                ?? Self.phrase(TextFolding.fold(text).split(separator: " ").map(String.init))
        else { return nil }
        self.form = form
    }

    /// The day that is meant on `today`.
    public func day(today: CalendarDay, towards direction: Direction = .next) -> CalendarDay {
        switch form {
        case .day(let day): return day
        case .dayOfMonth(let month, let day): return Self.nearest(month, day, today, direction)
        case .dayOfAnyMonth(let day):
            let first = today.adding(days: 1 - today.day)
            for months in 0...2 {
                let month = first.adding(months: direction == .next ? months : -months)
                guard let candidate = CalendarDay(year: month.year, month: month.month, day: day) else { continue }
                if direction == .next ? candidate >= today : candidate <= today { return candidate }
            }
            return direction == .next ? .latest : .earliest
        case .weekday(let weekday, let named):
            let ahead = (weekday - today.weekday + 6) % 7 + 1
            let back = (today.weekday - weekday + 6) % 7 + 1
            return today.adding(days: (named ?? direction) == .next ? ahead : -back)
        case .offset(let days, let months):
            return months == 0 ? today.adding(days: days) : today.adding(months: months)
        }
    }

    /// 29 February is resolved to the nearest leap year, which is at most eight years away.
    private static func nearest(
        _ month: Int, _ day: Int, _ today: CalendarDay, _ direction: Direction
    ) -> CalendarDay {
        for years in 0...8 {
            let year = today.year + (direction == .next ? years : -years)
            guard let candidate = CalendarDay(year: year, month: month, day: day) else { continue }
            if direction == .next ? candidate >= today : candidate <= today { return candidate }
        }
        return direction == .next ? .latest : .earliest
    }
}

extension DayExpression {
    /// Whether a text has the form of a date, but names no day of the calendar: `30 février`, `29 February 2027`,
    /// `31/04`.
    static func isImpossible(_ text: String) -> Bool {
        guard DayExpression(text) == nil else { return false }
        var parts = text.split(separator: " ").map(String.init)
        if let first = parts.first, ["le", "on", "the"].contains(TextFolding.fold(first)) { parts.removeFirst() }
        if parts.count == 1 {
            if DayText.isImpossible(parts[0]) { return true }
            let numbers = parts[0].split(separator: "/", omittingEmptySubsequences: false).map { number(String($0)) }
            guard numbers.count == 2, let day = numbers[0], let month = numbers[1] else { return false }
            return (29...31).contains(day) && (1...12).contains(month)
        }
        let words = TextFolding.fold(parts.joined(separator: " ")).split(separator: " ").map(String.init)
            .filter { $0 != "of" }
        guard words.count == 2 || words.count == 3 && words[2].count == 4 && number(words[2]) != nil else {
            return false
        }
        return months[words[0]] != nil && ordinal(words[1]) != nil
            || ordinal(words[0]) != nil && months[words[1]] != nil
    }

    /// `15/01`.
    private static func shortDate(_ text: String) -> Form? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let day = number(parts[0]), let month = number(parts[1]) else { return nil }
        return dayOfMonth(month, day)
    }

    private static func phrase(_ words: [String]) -> Form? {
        if let days = dayNames[words.joined(separator: " ")] { return .offset(days: days, months: 0) }
        return offset(words) ?? weekday(words) ?? namedMonth(words) ?? dayAlone(words)
    }

    /// `le 5`, `le 1er du mois`, `the 5th`, `on the 5th of the month`. With an article: a number alone may be anything.
    private static func dayAlone(_ words: [String]) -> Form? {
        var words = words[...]
        if words.first == "on" { words.removeFirst() }
        for end in [["du", "mois"], ["of", "the", "month"], ["of", "each", "month"], ["de", "chaque", "mois"]]
        where words.count > end.count && words.suffix(end.count).elementsEqual(end) {
            words.removeLast(end.count)
            break
        }
        guard words.count == 2, words.first == "le" || words.first == "the", let day = words.last.flatMap(ordinal),
            (1...31).contains(day)
        else { return nil }
        return .dayOfAnyMonth(day)
    }

    /// `in 3 days`, `dans un mois`, `2 weeks ago`, `il y a 2 semaines`.
    private static func offset(_ words: [String]) -> Form? {
        let isBack: Bool
        let rest: [String]
        if words.first == "in" || words.first == "dans" {
            (isBack, rest) = (false, Array(words.dropFirst()))
        } else if words.starts(with: ["il", "y", "a"]) {
            (isBack, rest) = (true, Array(words.dropFirst(3)))
        } else if words.last == "ago" {
            (isBack, rest) = (true, words.dropLast())
        } else {
            return nil
        }
        guard rest.count == 2, let unit = units[rest[1]],
            let count = ["a", "an", "one", "un", "une"].contains(rest[0]) ? 1 : number(rest[0])
        else { return nil }
        let signed = isBack ? -count : count
        return .offset(days: signed * unit.days, months: signed * unit.months)
    }

    /// `lundi`, `next Monday`, `lundi prochain`, `last Monday`, `lundi dernier`.
    private static func weekday(_ words: [String]) -> Form? {
        switch words.count {
        case 1: return weekdays[words[0]].map { .weekday($0, nil) }
        case 2:
            if let day = weekdays[words[1]], words[0] == "next" || words[0] == "last" {
                return .weekday(day, words[0] == "next" ? .next : .last)
            }
            if let day = weekdays[words[0]], words[1] == "prochain" || words[1] == "dernier" {
                return .weekday(day, words[1] == "prochain" ? .next : .last)
            }
            return nil
        default: return nil
        }
    }

    /// `15 janvier`, `le 1er mars 2027`, `January 15`, `Jan 15th, 2027`, `15 of January`.
    private static func namedMonth(_ words: [String]) -> Form? {
        var words = words.filter { $0 != "le" && $0 != "the" && $0 != "of" && $0 != "on" }
        guard words.count == 2 || words.count == 3 else { return nil }
        var year: Int?
        if words.count == 3 {
            guard words[2].count == 4, let given = number(words.removeLast()) else { return nil }
            year = given
        }
        let month: Int
        let day: Int
        if let first = months[words[0]], let second = ordinal(words[1]) {
            (month, day) = (first, second)
        } else if let first = ordinal(words[0]), let second = months[words[1]] {
            (month, day) = (second, first)
        } else {
            return nil
        }
        guard let year else { return dayOfMonth(month, day) }
        return CalendarDay(year: year, month: month, day: day).map { .day($0) }
    }

    /// Nil unless the day exists at least in leap years.
    private static func dayOfMonth(_ month: Int, _ day: Int) -> Form? {
        guard CalendarDay(year: 2000, month: month, day: day) != nil else { return nil }
        return .dayOfMonth(month: month, day: day)
    }

    /// `15`, `1er`, `1st`, `22nd`.
    private static func ordinal(_ word: String) -> Int? {
        let digits = word.prefix { $0.isNumber }
        guard ["", "er", "st", "nd", "rd", "th"].contains(word.dropFirst(digits.count)), digits.count <= 2 else {
            return nil
        }
        return number(String(digits))
    }

    /// One to four ASCII digits.
    private static func number(_ text: String) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private static let dayNames: [String: Int] = [
        "today": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2, "the day after tomorrow": 2,
        "aujourd hui": 0, "aujourdhui": 0, "demain": 1, "hier": -1, "apres demain": 2, "avant hier": -2,
    ]

    private static let units: [String: (days: Int, months: Int)] = [
        "day": (1, 0), "days": (1, 0), "jour": (1, 0), "jours": (1, 0),
        "week": (7, 0), "weeks": (7, 0), "semaine": (7, 0), "semaines": (7, 0),
        "month": (0, 1), "months": (0, 1), "mois": (0, 1),
        "year": (0, 12), "years": (0, 12), "an": (0, 12), "ans": (0, 12), "annee": (0, 12), "annees": (0, 12),
    ]

    private static let weekdays: [String: Int] = [
        "monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 7,
        "lundi": 1, "mardi": 2, "mercredi": 3, "jeudi": 4, "vendredi": 5, "samedi": 6, "dimanche": 7,
    ]

    private static let months: [String: Int] = [
        "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
        "september": 9, "october": 10, "november": 11, "december": 12,
        "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
        "nov": 11, "dec": 12,
        "janvier": 1, "fevrier": 2, "mars": 3, "avril": 4, "mai": 5, "juin": 6, "juillet": 7, "aout": 8,
        "septembre": 9, "octobre": 10, "novembre": 11, "decembre": 12,
        "janv": 1, "fev": 2, "fevr": 2, "avr": 4, "juil": 7,
    ]
}
