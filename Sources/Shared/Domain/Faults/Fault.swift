/// A value of an input that breaks a rule.
public struct Fault: Error, Sendable, Hashable {
    /// Where the value is: a JSON pointer as a fragment (`#/items/0/name`) for a body, or the name of a query parameter
    /// or of a flag. Empty for a fault of no single value.
    public let pointer: String
    /// Why the value is rejected.
    public let code: FaultCode
    /// One English sentence for a person, with its bounds as values. Never repeats the value that is wrong.
    public let sentence: Sentence

    /// Takes the place, the code and the sentence as they are.
    public init(_ pointer: String, _ code: FaultCode, _ sentence: Sentence) {
        self.pointer = pointer
        self.code = code
        self.sentence = sentence
    }

    /// The English sentence.
    public var detail: String { sentence.text }
}

extension Fault {
    /// The same fault of a member of the value at `parent`: `name` within `#/items/0` is `#/items/0/name`.
    public func within(_ parent: String) -> Fault { Fault("\(parent)/\(pointer)", code, sentence) }
}
