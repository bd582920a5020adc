package import JSONWire

extension JSONValue {
    /// The element of an array; nil for other kinds and out of bounds.
    package subscript(index: Int) -> JSONValue? {
        arrayValue.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }

    /// The names of an object's members in their order; empty for other kinds.
    package var names: [String] { objectValue?.members.map(\.name) ?? [] }
}
