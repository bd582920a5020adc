import HTML
import SubGuardContract
package import SubGuardDomain

/// Why the API refused what a form sent.
package struct FormFaults: Sendable {
    package let faults: [Fault]
    /// The sentence about the whole, for a refusal without faults.
    package let sentence: Sentence
    /// The code of a refusal by the API.
    package let code: ProblemCode?

    package init(_ faults: [Fault] = [], detail sentence: Sentence = "", code: ProblemCode? = nil) {
        self.faults = faults
        self.sentence = sentence
        self.code = code
    }

    package var isEmpty: Bool { faults.isEmpty && sentence.pattern.isEmpty }

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

/// One reason why something was refused, to be said in the language of the page.
package enum Refusal: Sendable {
    /// A value is not accepted.
    case fault(Fault)
    /// The whole is not accepted.
    case problem(Sentence, ProblemCode? = nil)
}

extension FormFaults {
    /// The faults, or the sentence about the whole without any.
    package var refusals: [Refusal] { faults.isEmpty ? [.problem(sentence, code)] : faults.map { .fault($0) } }
}

extension ConsoleWords {
    /// A fault with the line that it concerns.
    func sentence(_ fault: Fault) -> String {
        let text = plain(fault)
        return FormFaults.line(fault).map { self["Line \($0): \(text)"] } ?? text
    }

    /// A fault without its line.
    func plain(_ fault: Fault) -> String { said(fault.sentence) ?? self[.fault(fault.code)] }

    func sentence(_ refusal: Refusal) -> String {
        switch refusal {
        case .fault(let fault): plain(fault)
        case .problem(let sentence, let code):
            said(sentence) ?? self[code.flatMap(Sentence.problem) ?? "It was not accepted."]
        }
    }
}
