import HTML
package import SubGuardDomain
package import Telemetry

/// The languages of the console. The raw value is the tag in `lang` attributes, in the query and in the cookie.
package enum ConsoleLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case french = "fr"

    /// The name in the language itself.
    package var name: String {
        switch self {
        case .english: "English"
        case .french: "Français"
        }
    }

    /// The preferred language of an `Accept-Language` field (RFC 9110 section 12.5.4); English if it names none of
    /// ours.
    package init(acceptLanguage field: String?) {
        let tag = AcceptedLanguage.preferred(field, of: Self.allCases.map(\.rawValue))
        self = tag.flatMap(Self.init(rawValue:)) ?? .english
    }
}

extension Translation {
    /// What the console says in French.
    static let french = french(context: "console", adjusting: frenchSpaces)
}

/// Texts, numbers and dates in the language of a page.
package struct ConsoleWords: Sendable {
    package let language: ConsoleLanguage

    /// Nil for English.
    private let translation: Translation?

    package init(_ language: ConsoleLanguage) {
        self.init(language, language == .french ? .french : nil)
    }

    init(_ language: ConsoleLanguage, _ translation: Translation?) {
        self.language = language
        self.translation = translation
    }

    /// The sentence in this language, in English if it has no translation.
    package subscript(_ sentence: Sentence) -> String { said(sentence) ?? english(sentence) }

    /// The sentence in the form that a language has for something, such as the gender or number of a heading's things;
    /// without such a form, as ever.
    subscript(_ sentence: Sentence, of things: String) -> String {
        self[translation?.sentence(sentence, of: things) ?? sentence]
    }

    /// Nil without a translation, never in English.
    func said(_ sentence: Sentence) -> String? {
        guard let translation else { return english(sentence) }
        return translation.pattern(of: sentence).map { text($0, sentence.values) }
    }

    /// The sentence that a finished English text is; nil if it has no translation.
    func sentence(saying english: String) -> Sentence? { translation?.sentence(saying: english) }

    /// A finished English text of the backend in this language, in English if it has no translation.
    package func translated(_ english: String) -> String { sentence(saying: english).flatMap(said) ?? english }

    private func english(_ sentence: Sentence) -> String {
        text(Sentence.form(of: sentence.pattern, values: sentence.values) { $0 == 1 }, sentence.values)
    }

    private func text(_ form: String, _ values: [Sentence.Value]) -> String {
        Sentence.text(
            form,
            values: values.map { value in
                switch value {
                case .number(let number): self.number(number)
                case .text(let text): text
                }
            })
    }

    /// Between a label and what is said of it, in French with the narrow space of print.
    package var colon: String { language == .french ? "\u{202F}: " : ": " }

    /// A sentence with values for `%1`, `%2` and so on.
    package func text(_ sentence: Sentence, _ values: String...) -> String {
        self[Sentence(pattern: sentence.pattern, values: values.map { .text($0) })]
    }

    /// A sentence with a singular and a plural, with the number as `%1`.
    package func count(_ number: Int64, _ sentence: Sentence) -> String {
        self[Sentence(pattern: sentence.pattern, values: [.number(number)])]
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
