import Foundation

/// A ring of blocks that fills clockwise from the top, with a label in the middle.
enum ScoreRing {
    private static let rows = 9
    /// A character is about twice as high as it is wide.
    private static let columns = 21

    /// - Parameter share: 0…1.
    static func lines(share: Double, label: String, _ style: TerminalStyle, _ colour: TerminalStyle.Colour?) -> [String]
    {
        let middle = Double(rows - 1) / 2
        return (0..<rows).map { row in
            var line = (0..<columns).map { column -> String in
                let y = (Double(row) - middle) / middle
                let x = (Double(column) - Double(columns - 1) / 2) / (Double(columns - 1) / 2)
                let radius = (x * x + y * y).squareRoot()
                guard radius > 0.62, radius < 1.06 else { return " " }
                var turn = atan2(x, -y) / (2 * Double.pi)
                if turn < 0 { turn += 1 }
                return turn < share ? style.colour("█", colour) : style.colour("░", .grey)
            }
            if row == rows / 2 {
                let start = (columns - label.count) / 2
                for (offset, character) in label.enumerated() { line[start + offset] = style.bold(String(character)) }
            }
            return line.joined()
        }
    }
}

/// Horizontal bars, precise to an eighth of a character.
enum Bar {
    private static let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    static func text(_ value: Int64, of maximum: Int64, width: Int = 30) -> String {
        guard maximum > 0, value > 0 else { return "" }
        let (whole, rest) = maximum.dividingFullWidth(value.multipliedFullWidth(by: Int64(width * 8)))
        let eighths = Int(whole) + (rest >= maximum - maximum / 2 ? 1 : 0)
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}

/// A progress bar on standard error; shown on a terminal only and not with `--json`.
final class ProgressBar {
    private let isShown: Bool
    private let label: String
    private var last = -1

    init(_ label: String, _ session: Session) {
        self.label = label
        isShown = !session.isJSON && Invocation.current.isTerminal(STDERR_FILENO)
    }

    func show(_ done: Int, _ count: Int) {
        // Short work ends before a bar could be read.
        guard isShown, count >= 500 else { return }
        let percent = done * 100 / count
        guard percent != last else { return }
        last = percent
        let filled = percent * 30 / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        let end = done == count ? "\r\u{1B}[K" : ""
        StandardStream.progress("\r\(label) \(bar) \(percent) %\(end)")
    }
}
