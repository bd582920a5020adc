import JSONWire

extension JSONValue {
    /// The value as formatted text for reading and line-by-line comparison: values that fit into 120 columns take one
    /// line, all others are indented by two columns per level.
    func readable(indent: Int = 0, column: Int = 0) -> String {
        let compact = spaced
        if column + compact.unicodeScalars.count < 120, depth < 4 { return compact }
        let (margin, end) = (String(repeating: " ", count: indent + 2), "\n" + String(repeating: " ", count: indent))
        switch self {
        case .object(let object) where !object.members.isEmpty:
            let members = object.members.map { member in
                let name = JSONValue.string(member.name).spaced + ": "
                return margin + name
                    + member.value.readable(indent: indent + 2, column: indent + 2 + name.unicodeScalars.count)
            }
            return "{\n" + members.joined(separator: ",\n") + end + "}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { margin + $0.readable(indent: indent + 2, column: indent + 2) }
            return "[\n" + lines.joined(separator: ",\n") + end + "]"
        default: return compact
        }
    }

    /// On one line, with a space after each comma and colon.
    private var spaced: String {
        switch self {
        case .object(let object):
            "{"
                + object.members.map { JSONValue.string($0.name).spaced + ": " + $0.value.spaced }.joined(
                    separator: ", ")
                + "}"
        case .array(let elements): "[" + elements.map(\.spaced).joined(separator: ", ") + "]"
        default: String(decoding: serialized(), as: UTF8.self)
        }
    }

    private var depth: Int {
        switch self {
        case .object(let object): 1 + (object.members.map(\.value.depth).max() ?? 0)
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        default: 0
        }
    }
}
