import Foundation

/// A page with shell lines followed by their output.
struct TourPage {
    struct Step {
        /// The lines to run.
        let code: String
        /// Their output, with `…` for any text; nil if the page shows none.
        let output: String?
    }

    let steps: [Step]

    init(_ text: String) {
        var steps: [Step] = []
        var block: (kind: String, lines: [String])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            guard line.hasPrefix("```") else {
                block?.lines.append(line)
                continue
            }
            guard let ended = block else {
                block = (String(line.dropFirst(3)), [])
                continue
            }
            block = nil
            let content = ended.lines.joined(separator: "\n")
            if ended.kind == "sh" {
                steps.append(Step(code: content, output: nil))
            } else if let last = steps.popLast() {
                steps.append(Step(code: last.code, output: content))
            }
        }
        self.steps = steps
    }

    /// Whether the output matches the page. Line ends and trailing blanks may differ.
    static func agrees(_ output: String, with expected: String) -> Bool {
        let parts = folded(expected).components(separatedBy: "…")
        var rest = folded(output)[...]
        for (index, part) in parts.enumerated() {
            if index == 0 {
                guard rest.hasPrefix(part) else { return false }
                rest = rest.dropFirst(part.count)
            } else if index == parts.count - 1 {
                return part.isEmpty || rest.hasSuffix(part)
            } else {
                guard let found = rest.range(of: part) else { return false }
                rest = rest[found.upperBound...]
            }
        }
        return rest.isEmpty
    }

    private static func folded(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined()
    }
}
