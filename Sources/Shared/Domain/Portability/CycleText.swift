/// Reads billing cycles as people and other programs write them.
public enum CycleText {
    /// No cycle is longer. Each `after payment` at the end of one is read by itself.
    private static let mostBytes = 600

    private static let names: [String: String] = [
        "daily": "daily", "day": "daily", "quotidien": "daily", "quotidienne": "daily", "journalier": "daily",
        "weekly": "weekly", "week": "weekly", "hebdomadaire": "weekly", "hebdo": "weekly",
        "biweekly": "biweekly", "bi weekly": "biweekly", "fortnightly": "biweekly",
        "toutes les deux semaines": "biweekly", "toutes les 2 semaines": "biweekly", "tous les 15 jours": "biweekly",
        "every two weeks": "biweekly", "every 2 weeks": "biweekly",
        "monthly": "monthly", "month": "monthly", "mensuel": "monthly", "mensuelle": "monthly",
        "quarterly": "quarterly", "quarter": "quarterly", "trimestriel": "quarterly",
        "trimestrielle": "quarterly", "trimestre": "quarterly", "tous les trimestres": "quarterly",
        "semi annual": "semi_annual", "semi annually": "semi_annual", "semiannual": "semi_annual",
        "semiannually": "semi_annual", "half yearly": "semi_annual", "semestriel": "semi_annual",
        "bimestriel": "every:2m", "bimestrielle": "every:2m",
        "semestrielle": "semi_annual", "semestre": "semi_annual", "tous les semestres": "semi_annual",
        "yearly": "yearly", "annual": "yearly", "annually": "yearly", "year": "yearly", "annuel": "yearly",
        "annuelle": "yearly",
        "lifetime": "lifetime", "one time": "lifetime", "a vie": "lifetime",
    ]

    private static let units: [String: String] = [
        "day": "d", "days": "d", "jour": "d", "jours": "d", "week": "w", "weeks": "w", "semaine": "w", "semaines": "w",
        "month": "m", "months": "m", "mois": "m", "year": "y", "years": "y", "an": "y", "ans": "y", "annee": "y",
        "annees": "y", "mo": "m", "yr": "y", "quarter": "q", "quarters": "q", "trimestre": "q", "trimestres": "q",
        "semester": "s", "semesters": "s", "semestre": "s", "semestres": "s",
    ]

    /// Words that precede a unit without a number: `par mois`, `every year`, `12 € a month`.
    private static let each: Set<String> = [
        "par", "chaque", "tous les", "toutes les", "per", "each", "every", "a", "an", "le", "la", "l",
    ]

    private static let single = ["d": "daily", "w": "weekly", "m": "monthly", "y": "yearly"]

    /// Months of units that a wire form does not have.
    private static let months = ["q": 3, "s": 6]

    private static let numbers: [String: Int] = [
        "deux": 2, "trois": 3, "quatre": 4, "six": 6, "douze": 12, "two": 2, "three": 3, "four": 4, "twelve": 12,
    ]

    /// The wire form of `Every 3 months`, `Monthly`, `par an`, `/mois` or `Trimestriel`; wire forms are returned as
    /// they are. Nil for anything else.
    public static func wire(_ text: String) -> String? {
        guard text.utf8.count <= mostBytes else { return nil }
        if let cycle = BillingCycle(wire: text) { return cycle.wire }
        if let every = beforePayment(text) {
            return wire(every).flatMap { BillingCycle(wire: $0)?.countedFromPayment?.wire }
        }
        // Folding drops signs: minus two weeks are not two.
        guard !isSigned(text) else { return nil }
        let folded = TextFolding.fold(text)
        if let name = names[folded] { return name }
        let words = folded.split(separator: " ").map(String.init)
        guard let last = words.last, words.count <= 4 else { return nil }
        let before = words.dropLast()
        if each.contains(before.joined(separator: " ")) || before.isEmpty && text.contains("/") {
            return names[last] ?? units[last].flatMap { single[$0] }
        }
        // `in 3 days` and `essai 14 jours` are none.
        let lead = before.dropLast().joined(separator: " ")
        guard let unit = units[last], let number = before.last.flatMap({ Int($0) ?? numbers[$0] }),
            lead.isEmpty || each.contains(lead)
        else { return nil }
        if let months = months[unit] {
            // A larger count is refused below as well.
            return (1...1_000).contains(number) ? BillingCycle(wire: "every:\(number * months)m")?.wire : nil
        }
        return BillingCycle(wire: "every:\(number)\(unit)")?.wire
    }

    /// Words that say that a cycle is counted from each payment, folded.
    private static let payment: Set<String> = [
        "after payment", "after paying", "after each payment", "from payment", "apres paiement", "apres le paiement",
        "apres chaque paiement",
    ]

    /// The cycle before `after payment` or `après paiement`; nil without these words.
    private static func beforePayment(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return [2, 3].first {
            words.count > $0 && payment.contains(TextFolding.fold(words.suffix($0).joined(separator: " ")))
        }
        .map { words.dropLast($0).joined(separator: " ") }
    }

    /// Whether a number in the text has a sign.
    private static func isSigned(_ text: String) -> Bool {
        text.split(whereSeparator: \.isWhitespace).contains { word in
            guard let first = word.first, "-+\u{2212}\u{2013}".contains(first) else { return false }
            return word.dropFirst().first?.isNumber == true
        }
    }

    /// Whether a text means twice a month, which no cycle can express: it is not every two weeks.
    public static func isTwiceAMonth(_ text: String) -> Bool {
        [
            "bimensuel", "bimensuelle", "twice a month", "twice monthly", "semi monthly", "semimonthly",
            "deux fois par mois", "2 fois par mois",
        ]
        .contains(TextFolding.fold(text))
    }
}

/// Reads dates as people and spreadsheets write them.
public enum DayText {
    /// Returns `YYYY-MM-DD` for itself, for a timestamp that begins with it, and for `31/12/2026` and `31.12.2026`; nil
    /// for anything else. The day always precedes the month.
    public static func iso(_ text: String) -> String? {
        if let day = CalendarDay(iso: String(text.prefix(10))),
            text.utf8.count == 10 || isTime(text.utf8.dropFirst(10))
        {
            return day.iso
        }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "." }
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let day = Int(parts[0]), let month = Int(parts[1]), parts[2].count == 4,
            let year = Int(parts[2])
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)?.iso
    }

    /// Whether a text has the form of a date with a year, but names no day of the calendar: `31/02/2027`, `2027-02-30`.
    public static func isImpossible(_ text: String) -> Bool {
        for separator in ["/", ".", "-"] as [Character] {
            let parts = text.split(separator: separator, omittingEmptySubsequences: false)
            guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
                continue
            }
            let lengths = (separator == "-" ? parts.reversed() : parts).map(\.utf8.count)
            if (1...2).contains(lengths[0]), (1...2).contains(lengths[1]), lengths[2] == 4 { return iso(text) == nil }
        }
        return false
    }

    /// Matches ` 10:00:00`, `T10:00:00.000Z` and similar; the time is not used.
    private static func isTime(_ text: String.UTF8View.SubSequence) -> Bool {
        guard text.first == UInt8(ascii: " ") || text.first == UInt8(ascii: "T"), text.count > 5, text.count <= 30
        else { return false }
        let hour = Array(text.dropFirst().prefix(5))
        return hour[2] == UInt8(ascii: ":") && [0, 1, 3, 4].allSatisfy { (0x30...0x39).contains(hour[$0]) }
            && text.dropFirst(6).allSatisfy { "0123456789:.+-Z ".utf8.contains($0) }
    }
}
