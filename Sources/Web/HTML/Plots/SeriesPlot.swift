/// Up to three lines of values over time, in a frame with axes. Unlike ``TimePlot``, it is scaled as a whole, and the
/// time is continuous. The style sheet defines the colours of the classes `first`, `second` and `third`.
package struct SeriesPlot: Sendable {
    package let title: String
    /// The values of equally long intervals, each constant from its beginning to its end.
    package let lines: [[Double]]
    /// The labels of the time axis, at equal distances from the first to the last.
    package let times: [String]
    /// The text of a tick of the value axis, with the distance of two ticks.
    package let tickText: @Sendable (_ tick: Double, _ step: Double) -> String

    private static let (width, height) = (720.0, 280.0)
    private static let (left, right, top, bottom) = (64.0, 16.0, 16.0, 36.0)
    private static let classes: [StaticString] = ["first", "second", "third"]

    package init(
        title: String, lines: [[Double]], times: [String],
        tickText: @escaping @Sendable (_ tick: Double, _ step: Double) -> String
    ) { (self.title, self.lines, self.times, self.tickText) = (title, lines, times, tickText) }

    package func write(to html: inout HTMLWriter) {
        let scale = PlotScale(of: lines.joined() + [0.001], wholeNumbers: false)
        func x(_ share: Double) -> Double { Self.left + share * (Self.width - Self.left - Self.right) }
        func y(_ value: Double) -> Double {
            let distance = scale.distance(value, height: Self.height - Self.top - Self.bottom)
            return Self.top + min(max(distance, 0), Self.height - Self.top - Self.bottom)
        }
        html.add(
            svg: .svg, .viewBox(width: Int(Self.width), height: Int(Self.height)), .role("img"), .svgNamespace
        ) { html in
            html.add(svg: .title, text: title)
            for tick in scale.ticks {
                html.add(svg: .line, .class("grid"), .x1(x(0)), .x2(x(1)), .y1(y(tick)), .y2(y(tick)))
                html.add(
                    svg: .text, .class("tick"), .x(Self.left - 8), .y(y(tick) + 4), .anchor("end"),
                    text: tickText(tick, scale.step))
            }
            for (index, time) in times.enumerated() {
                html.add(
                    svg: .text, .class("tick"), .x(x(Double(index) / Double(max(1, times.count - 1)))),
                    .y(Self.height - Self.bottom + 20), .anchor("middle"), text: time)
            }
            for (style, values) in zip(Self.classes, lines) {
                let points = values.enumerated().flatMap { index, value in
                    [index, index + 1].map { end in
                        let share = Double(end) / Double(values.count)
                        return "\(PlotNumber.text(x(share))),\(PlotNumber.text(y(value)))"
                    }
                }
                html.add(svg: .polyline, .class(style), .points(points.joined(separator: " ")))
            }
        }
    }
}
