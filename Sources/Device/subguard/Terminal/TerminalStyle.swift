/// Colour on a terminal and nowhere else.
struct TerminalStyle {
    enum Colour: Int, CaseIterable {
        case red = 31
        case green = 32
        case orange = 33
        case blue = 34
        case grey = 90
    }

    /// Every escape sequence that is the program's own.
    static let sequences = ([0, 1] + Colour.allCases.map(\.rawValue)).map { "\u{1B}[\($0)m" }

    let isColoured: Bool

    /// `NO_COLOR` and a dumb terminal mean none (https://no-color.org).
    init(environment: [String: String], isTerminal: Bool) {
        isColoured = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    func colour(_ text: String, _ colour: Colour?) -> String {
        guard isColoured, let colour else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }

    func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
