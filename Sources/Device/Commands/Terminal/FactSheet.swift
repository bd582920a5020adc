/// What is known of one thing: its name, if it has one, then a line for each fact.
struct FactSheet {
    private let title: String?
    private var table = TextTable([("", .left), ("", .left)])

    init(_ title: String? = nil) { self.title = title }

    /// Adds a line, unless the value is empty.
    mutating func add(_ label: String, _ value: String) {
        if !value.isEmpty { table.add([.init(label, .grey), .init(value)]) }
    }

    func text(_ style: TerminalStyle) -> String {
        // Without the line of empty headings.
        let lines = table.text(style).split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        return ((title.map { [style.bold($0)] } ?? []) + lines.map(String.init)).joined(separator: "\n")
    }
}
