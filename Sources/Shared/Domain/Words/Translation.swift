import Translations

/// The texts of one language other than English: patterns such as `%1 of %2`, each found by its English pattern.
///
/// A language is one file of gettext's PO format in `Sources/Shared/Translations`, which `Scripts/generate` embeds. A
/// pattern with a singular and a plural has both, separated by a bar.
package struct Translation: Sendable {
    private let texts: [String: String]
    /// The English texts that are met finished.
    private let finished: Set<String>
    /// Whether a number takes the singular.
    private let isSingular: @Sendable (Int64) -> Bool
    /// Patterns of finished texts, the longest first.
    private let patterns: [Pattern]

    /// - Parameters:
    ///   - portableObject: the PO file. An entry that cannot be read is left out.
    ///   - context: the program that speaks: entries with this `msgctxt` come before those without one. Those of the
    ///     context with ` finished` behind it are what the program meets as finished English: stored texts, and errors
    ///     of libraries. With `of ` before it, a `msgctxt` names things that take a form of their own. Entries of other
    ///     contexts are left out.
    ///   - adjusting: changes every text once, such as its spaces.
    package init(
        portableObject: String, context: String, isSingular: @escaping @Sendable (Int64) -> Bool,
        adjusting: (String) -> String = { $0 }
    ) {
        self.init(PortableObject.entries(portableObject), context: context, isSingular: isSingular, adjusting)
    }

    /// French as a program speaks it; the parameters are those of the other initialiser.
    package static func french(context: String, adjusting: (String) -> String = { $0 }) -> Translation {
        Translation(French.entries, context: context, isSingular: { $0.magnitude < 2 }, adjusting)
    }

    private init(
        _ entries: [PortableObject.Entry], context: String, isSingular: @escaping @Sendable (Int64) -> Bool,
        _ adjusting: (String) -> String
    ) {
        var texts: [String: String] = [:]
        texts.reserveCapacity(entries.count)
        // The later, the stronger.
        let finishing = context + " finished"
        for wanted in [nil, finishing, context] {
            for entry in entries where entry.context == wanted {
                texts[entry.english] = adjusting(entry.translation)
            }
        }
        for entry in entries {
            guard let form = entry.context, form.hasPrefix("of ") else { continue }
            texts[Self.key(entry.english, form)] = adjusting(entry.translation)
        }
        self.texts = texts
        self.isSingular = isSingular
        finished = Set(entries.filter { $0.context == finishing }.map(\.english))
        patterns = finished.filter { $0.contains("%") }.map { Pattern($0) }
            .sorted { ($1.length, $0.english) < ($0.length, $1.english) }
    }

    /// French puts a space that does not break before ; : ! ?, and inside of « ».
    package static func frenchSpaces(_ text: String) -> String {
        var spaced = ""
        spaced.reserveCapacity(text.utf8.count)
        var last: Unicode.Scalar = "x"
        for scalar in text.unicodeScalars {
            if last == " " || last == "\u{A0}" {
                let isInside = spaced.unicodeScalars.last == "«" || ";:!?»".unicodeScalars.contains(scalar)
                spaced.unicodeScalars.append(isInside ? "\u{202F}" : last)
            }
            if scalar != " ", scalar != "\u{A0}" { spaced.unicodeScalars.append(scalar) }
            last = scalar
        }
        if last == " " || last == "\u{A0}" { spaced.unicodeScalars.append(last) }
        return spaced
    }

    /// As gettext joins the two.
    private static func key(_ english: String, _ context: String) -> String { context + "\u{4}" + english }

    /// The sentence that says the same of certain things; nil if it has no form of its own for them.
    package func sentence(_ sentence: Sentence, of things: String) -> Sentence? {
        let key = Self.key(sentence.pattern, "of " + things)
        return texts[key] == nil ? nil : Sentence(pattern: key, values: sentence.values)
    }

    /// Nil for a pattern without a translation.
    package subscript(_ english: String) -> String? { texts[english] }

    /// The pattern in this language, in the form for the first value if that is a number.
    package func pattern(of sentence: Sentence) -> String? {
        texts[sentence.pattern].map { Sentence.form(of: $0, values: sentence.values, isSingular: isSingular) }
    }

    /// The sentence that a finished English text is, such as one that was stored or that a library has written; nil if
    /// it has no translation.
    package func sentence(saying english: String) -> Sentence? {
        if finished.contains(english) { return Sentence(pattern: english) }
        for pattern in patterns {
            if let values = pattern.values(of: english) {
                return Sentence(pattern: pattern.english, values: values.map { .text($0) })
            }
        }
        return nil
    }

    /// An English pattern in pieces, to recognise a text that was made of it.
    private struct Pattern: Sendable {
        let english: String
        private let pieces: [String]
        /// The number of the value behind each piece but the last.
        private let numbers: [Int]
        let length: Int

        init(_ english: String) {
            self.english = english
            var pieces = [""]
            var numbers: [Int] = []
            var rest = english[...]
            while let character = rest.popFirst() {
                if character == "%", let number = rest.first?.wholeNumberValue, number > 0 {
                    rest.removeFirst()
                    numbers.append(number)
                    pieces.append("")
                } else {
                    pieces[pieces.count - 1].append(character)
                }
            }
            self.pieces = pieces
            self.numbers = numbers
            length = pieces.reduce(0) { $0 + $1.utf8.count }
        }

        /// The values in the order of their numbers; nil if the text does not have this form.
        func values(of text: String) -> [String]? {
            guard let first = pieces.first, let last = pieces.last, !numbers.isEmpty, text.hasPrefix(first),
                text.utf8.count >= length + numbers.count
            else { return nil }
            var rest = text.dropFirst(first.count)
            guard rest.hasSuffix(last) else { return nil }
            rest = rest.dropLast(last.count)
            var found: [String] = []
            for piece in pieces.dropFirst().dropLast() {
                guard let range = rest.firstRange(of: piece) else { return nil }
                found.append(String(rest[..<range.lowerBound]))
                rest = rest[range.upperBound...]
            }
            found.append(String(rest))
            var values = [String](repeating: "", count: numbers.max() ?? 0)
            for (number, value) in zip(numbers, found) { values[number - 1] = value }
            return values
        }
    }
}

extension Translation {
    /// What the domain and the engine say in French.
    fileprivate static let domain = french(context: "domain")
}

extension DisplayLanguage {
    /// A sentence of the domain or the engine in this language; in English if it has no translation.
    ///
    /// - Parameter things: what it is said of, for a sentence that has a form of its own for them.
    package func text(_ sentence: Sentence, of things: String? = nil) -> String {
        guard self == .french else { return sentence.text }
        let translation = Translation.domain
        let said = things.flatMap { translation.sentence(sentence, of: $0) } ?? sentence
        guard let form = translation.pattern(of: said) else { return sentence.text }
        return Sentence.text(form, values: said.values.map(\.text))
    }

    /// A decimal number such as `12.34` with this language's separator.
    package func decimal(_ number: String) -> String {
        number.replacing(".", with: AmountStyle(self).decimalSeparator)
    }
}
