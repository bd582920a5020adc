import HTML
package import SubGuardDomain

/// Why the API refused what a form sent.
package struct FormFaults: Sendable {
    package let faults: [Fault]
    /// The sentence about the whole, for a refusal without faults.
    package let detail: String

    package init(_ faults: [Fault] = [], detail: String = "") {
        self.faults = faults
        self.detail = detail
    }

    package var isEmpty: Bool { faults.isEmpty && detail.isEmpty }

    /// The faults of a member and of what is inside it.
    package func of(_ name: String) -> [Fault] { faults.filter { Self.name($0) == name } }

    /// The member that a fault concerns: the first part of its pointer.
    static func name(_ fault: Fault) -> String {
        let pointer = fault.pointer
        guard pointer.hasPrefix("#/") else { return pointer }
        return String(pointer.dropFirst(2).prefix { $0 != "/" })
    }

    /// The number of the line with a fault, for lists.
    static func line(_ fault: Fault) -> Int? {
        let parts = fault.pointer.split(separator: "/")
        return parts.count > 2 ? Int(parts[2]).map { $0 + 1 } : nil
    }
}

extension ConsoleWords {
    /// The sentence of a fault, with the line that it concerns.
    func sentence(_ fault: Fault) -> (text: String, isEnglish: Bool) {
        let (text, isEnglish) = FaultSentences.translated(fault.detail, to: language)
        guard let line = FormFaults.line(fault) else { return (text, isEnglish) }
        return (self.text(.faultInLine, "\(line)", text), isEnglish)
    }
}

/// The API speaks English. Its frequent sentences are translated by pattern; others stay English and are marked so.
enum FaultSentences {
    static func translated(_ detail: String, to language: ConsoleLanguage) -> (text: String, isEnglish: Bool) {
        guard language != .english else { return (detail, false) }
        for phrase in Phrase.faultSentences + Phrase.alertFaultSentences {
            if let values = values(of: phrase.english, in: detail) {
                return (ConsoleWords(language).text(phrase, values: values), false)
            }
        }
        return (detail, true)
    }

    /// The values of `%1`, `%2` in a sentence of the pattern; nil for another sentence.
    private static func values(of pattern: String, in text: String) -> [String]? {
        var rest = text[...]
        var values: [String] = []
        var parts = pattern.split(separator: "%", omittingEmptySubsequences: false)[...]
        guard let first = parts.popFirst(), rest.hasPrefix(first) else { return nil }
        rest = rest.dropFirst(first.count)
        for (index, part) in parts.enumerated() {
            let literal = part.dropFirst()
            if index == parts.count - 1 {
                guard rest.hasSuffix(literal) else { return nil }
                values.append(String(rest.dropLast(literal.count)))
                rest = ""
            } else {
                guard let range = rest.firstRange(of: literal) else { return nil }
                values.append(String(rest[..<range.lowerBound]))
                rest = rest[range.upperBound...]
            }
        }
        return rest.isEmpty ? values : nil
    }
}
