package import Backend
package import SubGuardDomain

/// Texts, numbers and dates in the language of a page.
package struct ConsoleWords: Sendable {
    package let language: ConsoleLanguage

    package init(_ language: ConsoleLanguage) { self.language = language }

    package subscript(_ phrase: Phrase) -> String {
        switch language {
        case .english: phrase.english
        case .french: phrase.french
        }
    }

    /// A phrase with values for `%1`, `%2` and so on.
    package func text(_ phrase: Phrase, _ values: String...) -> String { text(phrase, values: values) }

    func text(_ phrase: Phrase, values: [String]) -> String {
        Sentence.text(self[phrase], values: values)
    }

    /// One of two phrases by number, with the number as `%1`. French uses the singular for 0.
    package func count(_ number: Int64, one: Phrase, many: Phrase) -> String {
        let isOne = language == .french ? number.magnitude < 2 : number == 1
        return text(isOne ? one : many, self.number(number))
    }

    // MARK: Numbers

    /// 18,341 or 18 341, with a minus sign instead of a hyphen.
    package func number(_ number: Int64) -> String {
        let separator = language == .french ? "\u{202F}" : ","
        return (number < 0 ? "\u{2212}" : "") + Self.grouped("\(number.magnitude)", separator)
    }

    /// A count or a percentage with one decimal; a dash for nil.
    package func figure(_ figure: FigureNumber?, isPercent: Bool = false) -> String {
        guard let figure else { return "–" }
        let parts = figure.text.split(separator: ".")
        guard let whole = parts.first.flatMap({ Int64($0) }) else { return figure.text }
        // "-0.4" has the whole part 0.
        var text = number(whole)
        if whole == 0, figure.text.hasPrefix("-") { text = "\u{2212}0" }
        if parts.count == 2 { text += (language == .french ? "," : ".") + parts[1] }
        return isPercent ? percent(text) : text
    }

    private func percent(_ number: String) -> String { language == .french ? "\(number)\u{202F}%" : "\(number)%" }

    /// A tick of an axis: a whole number, or one or two decimals.
    package func tick(_ value: Double, isPercent: Bool = false) -> String {
        guard value.magnitude < 1e15 else { return "–" }
        let rounded = value.rounded()
        guard (value - rounded).magnitude < 0.001 else {
            let hundredths = Int64((value.magnitude * 100).rounded())
            var decimals = hundredths % 100 < 10 ? "0\(hundredths % 100)" : "\(hundredths % 100)"
            if isPercent, decimals.hasSuffix("0") { decimals.removeLast() }
            let text = number(hundredths / 100) + (language == .french ? "," : ".") + decimals
            return (value < 0 ? "\u{2212}" : "") + (isPercent ? percent(text) : text)
        }
        let text = number(Int64(rounded))
        return isPercent ? percent(text) : text
    }

    private static func grouped(_ digits: String, _ separator: String) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += separator }
            text.append(digit)
        }
        return text
    }

    // MARK: Days and times

    private static let months: [ConsoleLanguage: [String]] = [
        .english: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        .french: [
            "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.",
        ],
    ]

    private func month(_ day: CalendarDay) -> String { Self.months[language]?[day.month - 1] ?? "" }

    /// 20 Nov 2026.
    package func day(_ day: CalendarDay) -> String {
        "\(dayOfMonth(day)) \(month(day)) \(day.year)"
    }

    /// 20 Nov, for axes.
    package func shortDay(_ day: CalendarDay) -> String { "\(dayOfMonth(day)) \(month(day))" }

    /// Nov 2026.
    package func monthAndYear(_ day: CalendarDay) -> String { "\(month(day)) \(day.year)" }

    private func dayOfMonth(_ day: CalendarDay) -> String {
        language == .french && day.day == 1 ? "1er" : "\(day.day)"
    }

    /// 20 Nov 2026, 10:00 UTC.
    package func instant(_ instant: UTCInstant) -> String {
        let minutes = (instant.secondsSinceEpoch - UTCInstant(startOf: instant.day).secondsSinceEpoch) / 60
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(day(instant.day)), \(two(minutes / 60)):\(two(minutes % 60)) UTC"
    }
}
