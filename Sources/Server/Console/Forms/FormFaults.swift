import HTML
package import SubGuardContract
package import SubGuardDomain

/// Why the API refused what a form sent.
package struct FormFaults: Sendable {
    package let faults: [Fault]
    /// The sentence about the whole, for a refusal without faults.
    package let detail: String
    /// The code of a refusal by the API.
    package let code: ProblemCode?

    package init(_ faults: [Fault] = [], detail: String = "", code: ProblemCode? = nil) {
        self.faults = faults
        self.detail = detail
        self.code = code
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
        guard parts.count > 2, let number = Int(parts[2]) else { return nil }
        // Rows of a file have numbers, members of a list begin at 0.
        return parts[1] == "line" ? number : number + 1
    }
}

extension ConsoleWords {
    /// The sentence of a fault, with the line that it concerns.
    func sentence(_ fault: Fault) -> (text: String, isEnglish: Bool) {
        let (text, isEnglish) = FaultSentences.translated(fault, to: language)
        guard let line = FormFaults.line(fault) else { return (text, isEnglish) }
        return (self.text(.faultInLine, "\(line)", text), isEnglish)
    }
}

/// The API speaks English. In other languages, its frequent sentences are said with their numbers, the others by what
/// their code means. What has neither stays English and is marked so.
enum FaultSentences {
    static func translated(_ fault: Fault, to language: ConsoleLanguage) -> (text: String, isEnglish: Bool) {
        let (text, isEnglish) = translated(fault.detail, to: language)
        return isEnglish ? (ConsoleWords(language)[.fault(fault.code)], false) : (text, false)
    }

    /// The sentence of a whole problem.
    static func translated(
        _ detail: String, code: ProblemCode?, to language: ConsoleLanguage
    ) -> (text: String, isEnglish: Bool) {
        let (text, isEnglish) = translated(detail, to: language)
        guard isEnglish, let phrase = code.flatMap(Phrase.problem) else { return (text, isEnglish) }
        return (ConsoleWords(language)[phrase], false)
    }

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
