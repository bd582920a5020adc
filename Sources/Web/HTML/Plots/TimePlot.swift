/// A plot of values over time: a line, or a bar for each period. Unfinished periods are hatched, and their line is
/// dashed.
///
/// The drawing has the width of its container. Horizontal positions are percentages and texts have their own size, so
/// nothing is scaled except the line itself. All colours come from the style sheet.
package struct TimePlot: Sendable {
    package enum Form: Sendable {
        case line
        case bars
    }

    /// Unique in the page.
    package let id: String
    package let form: Form
    package let title: String
    /// One or two sentences that say what the plot shows.
    package let summary: String
    package let points: [PlotPoint]
    package let scale: PlotScale
    /// Vertical lines, labelled where there is room. In the order of the points.
    package var markers: [PlotMarker] = []
    /// A horizontal line.
    package var limit: PlotLimit?
    /// The text of a tick of the value axis.
    package let tickText: @Sendable (Double) -> String

    private static let areaTop = 22.0
    private static let areaHeight = 176.0
    private static let height = 226.0
    /// The width of a column for ticks of at most so many characters, as a class of the style sheet.
    private static let gutters: [(characters: Int, class: StaticString)] = [
        (2, "plot ticks-2"), (4, "plot ticks-4"), (6, "plot ticks-6"),
    ]
    /// Labels under the axis on a wide screen. Narrow ones show the first, the middle and the last.
    private static let labelCount = 7

    package init(
        id: String, form: Form, title: String, summary: String, points: [PlotPoint], scale: PlotScale,
        tickText: @escaping @Sendable (Double) -> String
    ) {
        self.id = id
        self.form = form
        self.title = title
        self.summary = summary
        self.points = points
        self.scale = scale
        self.tickText = tickText
    }

    package func write(to html: inout HTMLWriter) {
        html.add(
            svg: .svg, .class(gutter), .role("img"), .aria("labelledby", "\(id)-t \(id)-d"), .fullWidth(),
            .height(Self.height), .data("plot", form == .line ? "line" : "bars")
        ) { html in
            html.add(svg: .title, .id("\(id)-t"), text: title)
            html.add(svg: .desc, .id("\(id)-d"), text: summary)
            writeHatch(to: &html)
            writeGrid(to: &html)
            switch form {
            case .line: writeLine(to: &html)
            case .bars: writeBars(to: &html)
            }
            writeMarkers(to: &html)
            writeTicks(to: &html)
            writeLimit(to: &html)
            writeLabels(to: &html)
        }
    }

    // MARK: Positions

    /// Ticks stand in a column of their own, beside what is drawn.
    private var gutter: StaticString {
        let longest = scale.ticks.map { tickText($0).count }.max() ?? 0
        return Self.gutters.first { longest <= $0.characters }?.class ?? "plot ticks-9"
    }

    /// The middle of a point in percent: at the edges for a line, in the middle of its column for bars.
    private func middle(_ index: Int) -> Double {
        switch form {
        case .line: points.count == 1 ? 50 : 100 * Double(index) / Double(points.count - 1)
        case .bars: 100 * (Double(index) + 0.5) / Double(points.count)
        }
    }

    private func distance(_ value: Double) -> Double {
        Self.areaTop + scale.distance(value, height: Self.areaHeight)
    }

    // MARK: Parts

    private func writeHatch(to html: inout HTMLWriter) {
        guard points.contains(where: \.isUnfinished) else { return }
        html.add(svg: .defs) { html in
            html.add(
                svg: .pattern, .id("\(id)-h"), .patternUnits(), .width(6), .height(6), .rotated(by: 45)
            ) { html in
                html.add(svg: .rect, .class("hatch"), .width(3), .height(6))
            }
        }
    }

    private func writeGrid(to html: inout HTMLWriter) {
        for tick in scale.ticks {
            let y = distance(tick)
            html.add(
                svg: .line, .class(tick == 0 ? "axis" : "grid"), .x1(percent: 0), .x2(percent: 100), .y1(y), .y2(y))
        }
    }

    private func writeTicks(to html: inout HTMLWriter) {
        for tick in scale.ticks {
            html.add(
                svg: .text, .class("tick"), .x(-8), .y(distance(tick) + 4), .anchor("end"), text: tickText(tick))
        }
    }

    private func writeLine(to html: inout HTMLWriter) {
        let firstUnfinished = points.firstIndex(where: \.isUnfinished) ?? points.count
        if firstUnfinished < points.count, points.count > 1 {
            // From the last finished point on, which is where the value begins to be uncertain.
            let start = middle(max(firstUnfinished - 1, 0))
            html.add(
                svg: .rect, .class("unfinished"), .x(percent: start), .y(Self.areaTop), .width(percent: 100 - start),
                .height(Self.areaHeight), .fill(patternID: "\(id)-h"))
        }
        html.add(
            svg: .svg, .x(0), .y(Self.areaTop), .fullWidth(), .height(Self.areaHeight),
            .viewBox(width: 1000, height: Int(Self.areaHeight)), .stretched
        ) { html in
            for run in runs(firstUnfinished) {
                let line = commands(run.range)
                if let first = run.range.first, let last = run.range.last, run.range.count > 1 {
                    let floor = PlotNumber.text(scale.distance(max(0, scale.minimum), height: Self.areaHeight))
                    let area =
                        "\(line)L\(PlotNumber.text(middle(last) * 10)) \(floor)"
                        + "L\(PlotNumber.text(middle(first) * 10)) \(floor)Z"
                    // The area of a scale that does not begin at 0 would mean nothing.
                    if scale.minimum <= 0 { html.add(svg: .path, .class("area"), .path(area)) }
                    html.add(
                        svg: .path, .class("line"), .path(line), .steadyStroke,
                        run.isUnfinished ? .dashes("5 4") : nil)
                }
            }
        }
        for (index, point) in points.enumerated() {
            guard let value = point.value, isMarked(index) else { continue }
            html.add(
                svg: .circle, .class(point.isUnfinished ? "dot open" : "dot"), .cx(percent: middle(index)),
                .cy(distance(value)), .radius(3.5))
        }
    }

    /// The last point, and points without neighbours, of which no line is visible.
    private func isMarked(_ index: Int) -> Bool {
        guard index < points.count - 1 else { return true }
        return points[index + 1].value == nil && (index == 0 || points[index - 1].value == nil)
    }

    private struct Run {
        var range: ClosedRange<Int>
        let isUnfinished: Bool
    }

    /// Points with values that are joined by a line, cut where the unfinished periods begin.
    private func runs(_ firstUnfinished: Int) -> [Run] {
        var runs: [Run] = []
        for index in points.indices.dropFirst()
        where points[index].value != nil && points[index - 1].value != nil {
            let isUnfinished = index >= firstUnfinished
            if let last = runs.last, last.range.upperBound == index - 1, last.isUnfinished == isUnfinished {
                runs[runs.count - 1].range = last.range.lowerBound...index
            } else {
                runs.append(Run(range: index - 1...index, isUnfinished: isUnfinished))
            }
        }
        return runs
    }

    private func commands(_ range: ClosedRange<Int>) -> String {
        var text = ""
        for index in range {
            guard let value = points[index].value else { continue }
            let y = PlotNumber.text(scale.distance(value, height: Self.areaHeight))
            text += "\(text.isEmpty ? "M" : "L")\(PlotNumber.text(middle(index) * 10)) \(y)"
        }
        return text
    }

    private func writeBars(to html: inout HTMLWriter) {
        let column = 100 / Double(points.count)
        let gap = points.count > 1 ? column * 0.18 : 30
        let zero = distance(0)
        for (index, point) in points.enumerated() {
            guard let value = point.value, value != 0 else { continue }
            let y = distance(value)
            let height = max(abs(y - zero), 1)
            html.add(
                svg: .rect, .class(point.isUnfinished ? "bar open" : "bar"),
                .x(percent: column * Double(index) + gap / 2), .y(min(zero - (value > 0 ? height : 0), max(y, zero))),
                .width(percent: column - gap), .height(height),
                point.isUnfinished ? .fill(patternID: "\(id)-h") : nil)
        }
    }

    /// The least distance of two labels in percent of the width, on wide screens and on narrow ones.
    private static let labelDistance = (wide: 14.0, narrow: 42.0)

    private func writeMarkers(to html: inout HTMLWriter) {
        var last = (wide: -Double.infinity, narrow: -Double.infinity)
        for marker in markers where points.indices.contains(marker.index) {
            let x = middle(marker.index)
            html.add(
                svg: .line, .class("marker"), .x1(percent: x), .x2(percent: x), .y1(Self.areaTop - 4),
                .y2(Self.areaTop + Self.areaHeight))
            guard x - last.wide >= Self.labelDistance.wide else { continue }
            last.wide = x
            let isNarrow = x - last.narrow >= Self.labelDistance.narrow
            if isNarrow { last.narrow = x }
            html.add(
                svg: .text, .class(isNarrow ? "marker-name" : "marker-name wide"), .x(percent: x), .y(Self.areaTop - 9),
                .anchor(x > 90 ? "end" : x < 10 ? "start" : "middle"), text: marker.label)
        }
    }

    private func writeLimit(to html: inout HTMLWriter) {
        guard let limit, (scale.minimum...scale.maximum).contains(limit.value) else { return }
        let y = distance(limit.value)
        html.add(svg: .line, .class("limit"), .x1(percent: 0), .x2(percent: 100), .y1(y), .y2(y), .dashes("6 4"))
        html.add(
            svg: .text, .class("limit-name"), .x(percent: 100), .y(y < Self.areaTop + 14 ? y + 14 : y - 5),
            .anchor("end"), text: limit.label)
    }

    private func writeLabels(to html: inout HTMLWriter) {
        guard let last = points.indices.last else { return }
        var shown: [Int: Bool] = [:]
        if last < Self.labelCount {
            for index in 0...last { shown[index] = index == 0 || index == last }
        } else {
            for number in 0..<Self.labelCount {
                let isNarrow = [0, Self.labelCount / 2, Self.labelCount - 1].contains(number)
                shown[number * last / (Self.labelCount - 1)] = isNarrow
            }
        }
        for (index, isNarrow) in shown.sorted(by: { $0.key < $1.key }) {
            // Texts at the edges must not leave the drawing.
            let isEdge = form == .line || points.count > 12
            let (anchor, x): (StaticString, Double) =
                if isEdge, last > 0, index == 0 {
                    ("start", 0)
                } else if isEdge, last > 0, index == last {
                    ("end", 100)
                } else {
                    ("middle", middle(index))
                }
            html.add(
                svg: .text, .class(isNarrow ? "label" : "label wide"), .x(percent: x), .y(Self.height - 8),
                .anchor(anchor), text: points[index].label)
        }
    }
}
