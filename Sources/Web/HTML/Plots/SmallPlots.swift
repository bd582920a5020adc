/// A line without axes beside a figure. Decorative: the figure and its trend stand beside it as text.
package struct Sparkline: Sendable {
    package let points: [PlotPoint]

    package init(points: [PlotPoint]) { self.points = points }

    private static let height = 36.0

    package func write(to html: inout HTMLWriter) {
        let values = points.compactMap(\.value)
        guard points.count > 1, let low = values.min(), let high = values.max() else { return }
        let span = high > low ? high - low : 1
        func place(_ index: Int, _ value: Double) -> String {
            let x = 200 * Double(index) / Double(points.count - 1)
            let y = high > low ? 3 + (Self.height - 6) * (high - value) / span : Self.height / 2
            return "\(PlotNumber.text(x)) \(PlotNumber.text(y))"
        }
        let firstUnfinished = points.firstIndex(where: \.isUnfinished) ?? points.count
        func path(_ range: Range<Int>) -> String {
            var text = ""
            var isJoined = false
            for index in range {
                guard let value = points[index].value else {
                    isJoined = false
                    continue
                }
                text += (isJoined ? "L" : "M") + place(index, value)
                isJoined = true
            }
            return text
        }
        html.add(
            svg: .svg, .class("spark"), .aria("hidden", "true"), .fullWidth(), .height(Self.height),
            .viewBox(width: 200, height: Int(Self.height)), .stretched
        ) { html in
            html.add(svg: .path, .class("line"), .path(path(0..<firstUnfinished)), .steadyStroke)
            if firstUnfinished < points.count, firstUnfinished > 0 {
                html.add(
                    svg: .path, .class("line"), .path(path(firstUnfinished - 1..<points.count)), .steadyStroke,
                    .dashes("3 3"))
            }
        }
    }
}

/// A horizontal bar in a table cell. Decorative: the number stands in the same row.
package struct MeterBar: Sendable {
    /// From 0 to 1.
    package let share: Double

    package init(share: Double) { self.share = min(max(share.isFinite ? share : 0, 0), 1) }

    package func write(to html: inout HTMLWriter) {
        html.add(svg: .svg, .class("meter"), .aria("hidden", "true"), .fullWidth(), .height(14)) { html in
            html.add(svg: .rect, .class("track"), .fullWidth(), .height(14), .corner(3))
            if share > 0 {
                html.add(
                    svg: .rect, .class("bar"), .width(percent: max(share * 100, 0.4)), .height(14), .corner(3))
            }
        }
    }
}

/// Initials or an emoji on a colour, in place of a picture. Decorative: the name stands beside it.
package struct LetterMark: Sendable {
    let letters: String
    let colour: UInt32
    let isDark: Bool

    /// - Parameters:
    ///   - colour: 8 bits each for red, green and blue.
    ///   - isDark: whether the letters are black, else white; they must be legible on the colour.
    package init(letters: String, colour: UInt32, isDark: Bool = false) {
        self.letters = letters
        self.colour = colour
        self.isDark = isDark
    }

    package func write(to html: inout HTMLWriter) {
        html.add(
            svg: .svg, .class(isDark ? "letters dark" : "letters"), .aria("hidden", "true"),
            .viewBox(width: 28, height: 28)
        ) { html in
            html.add(svg: .rect, .width(28), .height(28), .corner(6), .fill(colour: colour))
            html.add(svg: .text, .x(14), .y(18.5), .anchor("middle"), text: letters)
        }
    }
}
