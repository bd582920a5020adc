extension Translation {
    /// What programs on the device say in French, and what their errors say.
    private static let device = french(context: "device")

    /// Nil for English.
    fileprivate static func ofDevice(_ language: DisplayLanguage) -> Translation? {
        language == .french ? device : nil
    }
}

extension Sentence {
    /// The sentence in a language, with its numbers in groups of three; in English if it has no translation.
    ///
    /// - Parameter isTypeset: with the spaces of print. Terminals and programs get plain ones.
    package func text(_ language: DisplayLanguage, isTypeset: Bool = false) -> String {
        let texts = values.map { value in
            switch value {
            case .number(let number): AmountStyle(language).grouped(Int(number))
            case .text(let text): text
            }
        }
        let form =
            Translation.ofDevice(language)?.pattern(of: self) ?? Self.form(of: pattern, values: values) { $0 == 1 }
        return Self.text(isTypeset ? language.spaced(form) : form, values: texts)
    }
}

extension DisplayLanguage {
    /// A finished text with the spaces that print has in this language.
    package func spaced(_ text: String) -> String { self == .french ? Translation.frenchSpaces(text) : text }

    /// A percentage from its decimal number: `87.5 %`, in French `87,5 %` with the narrow space of print.
    package func percent(_ decimal: String) -> String {
        self == .french ? decimal.replacing(".", with: ",") + "\u{202F}%" : decimal + " %"
    }

    /// Translates an error, which the libraries describe in English. A text without a translation stays as it is.
    package func sentence(_ english: String) -> String {
        guard let found = Translation.ofDevice(self)?.sentence(saying: english) else { return english }
        return Sentence(pattern: found.pattern, values: found.values.map { .text(shown($0.text)) }).text(self)
    }

    /// As ``sentence(_:)``, for a text of several lines, each a sentence of its own.
    package func lines(_ english: String) -> String {
        english.split(separator: "\n", omittingEmptySubsequences: false).map { sentence(String($0)) }
            .joined(separator: "\n")
    }

    /// A value of an error: days and amounts as the language writes them.
    private func shown(_ value: String) -> String {
        if let day = CalendarDay(iso: value) { return day.displayName(self) }
        let parts = value.split(separator: " ").map(String.init)
        if parts.count == 2, let currency = Currency(code: parts[1]),
            let amount = try? Money(decimal: parts[0], currency: currency)
        {
            return amount.formatted(AmountStyle(self))
        }
        return sentence(value)
    }
}
