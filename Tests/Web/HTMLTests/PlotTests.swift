import HTML
import Testing

@Suite struct PlotTests {
    @Test(
        arguments: [
            ([], [0, 1, 2, 3, 4]), ([3], [0, 1, 2, 3]), ([7, 2], [0, 2, 4, 6, 8]), ([99], [0, 20, 40, 60, 80, 100]),
            ([101], [0, 50, 100, 150]), ([18_341], [0, 5000, 10_000, 15_000, 20_000]), ([-3, 4], [-4, -2, 0, 2, 4]),
        ] as [([Double], [Double])])
    func scalesHaveRoundSteps(_ values: [Double], _ ticks: [Double]) {
        #expect(PlotScale(of: values).ticks == ticks)
    }

    @Test func aCeilingIsTheLastTick() {
        #expect(PlotScale(of: [99.8, 97], wholeNumbers: false, ceiling: 100).ticks == [0, 20, 40, 60, 80, 100])
        #expect(PlotScale(of: [12], wholeNumbers: false, ceiling: 100).maximum == 15)
    }

    @Test(
        arguments: [
            ([99.8, 97], [97, 98, 99, 100]), ([100], [99.8, 100]), ([], [0, 20, 40, 60, 80, 100]),
            ([99.96], [99.8, 100]), ([40, 90], [40, 60, 80, 100]), ([120], [99.8, 100]),
        ] as [([Double], [Double])])
    func scalesNearACeiling(_ values: [Double], _ expected: [Double]) {
        let scale = PlotScale(near: values, ceiling: 100)
        #expect(scale.maximum == 100 && scale.minimum <= min(values.min() ?? 0, 100) && scale.ticks.count <= 6)
        guard values != [100], values != [99.96], values != [120] else { return }
        #expect(scale.ticks.map { ($0 * 100).rounded() / 100 } == expected)
    }

    @Test func markersAndALimitAreDrawnOverTheLine() {
        var plot = TimePlot(
            id: "p", form: .line, title: "T", summary: "S",
            points: (0..<11).map { PlotPoint(label: "\($0)", value: 99) },
            scale: PlotScale(near: [99], ceiling: 100)
        ) { "\($0)" }
        plot.markers = [
            PlotMarker(index: 5, label: "1.0 <b>"), PlotMarker(index: 6, label: "1.1"),
            PlotMarker(index: 10, label: "2"),
            PlotMarker(index: 11, label: "outside"),
        ]
        plot.limit = PlotLimit(value: 99.5, label: "99.5%")
        var html = HTMLWriter()
        plot.write(to: &html)
        let text = String(decoding: html.bytes, as: UTF8.self)
        for part in [
            #"<line class="marker" x1="50%" x2="50%" y1="18" y2="198"></line>"#
                + #"<text class="marker-name" x="50%" y="13" text-anchor="middle">1.0 &lt;b&gt;</text>"#,
            #"<line class="marker" x1="60%""#, #"x="100%" y="13" text-anchor="end">2</text>"#,
            #"<line class="limit" x1="0%" x2="100%""#, #"text-anchor="end">99.5%</text>"#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
        // No room for the label of a neighbour, and no area that does not begin at 0.
        for part in [">1.1<", "outside", "class=\"area\""] { #expect(!text.contains(part), "\(part)") }
    }

    private func text(_ points: [PlotPoint], _ form: TimePlot.Form) -> String {
        var html = HTMLWriter()
        TimePlot(
            id: "p", form: form, title: "T & t", summary: "S", points: points,
            scale: PlotScale(of: points.compactMap(\.value))
        ) { "\(Int($0))" }.write(to: &html)
        return String(decoding: html.bytes, as: UTF8.self)
    }

    private static let grid = """
        <line class="axis" x1="0%" x2="100%" y1="198" y2="198"></line>\
        <line class="grid" x1="0%" x2="100%" y1="110" y2="110"></line>\
        <line class="grid" x1="0%" x2="100%" y1="22" y2="22"></line>
        """
    private static let ticks = """
        <text class="tick" x="-8" y="202" text-anchor="end">0</text>\
        <text class="tick" x="-8" y="114" text-anchor="end">1</text>\
        <text class="tick" x="-8" y="26" text-anchor="end">2</text>
        """
    private static let start = """
        <svg class="plot ticks-2" role="img" aria-labelledby="p-t p-d" width="100%" height="226" data-plot=
        """
    private static let hatch = """
        <defs><pattern id="p-h" patternUnits="userSpaceOnUse" width="6" height="6" patternTransform="rotate(45)">\
        <rect class="hatch" width="3" height="6"></rect></pattern></defs>
        """

    @Test func drawsBarsToTheByte() {
        let points = [
            PlotPoint(label: "Mon", value: 2), PlotPoint(label: "Tue", value: nil),
            PlotPoint(label: "Wed", value: 1, isUnfinished: true),
        ]
        #expect(
            text(points, .bars) == """
                \(Self.start)"bars"><title id="p-t">T &amp; t</title><desc id="p-d">S</desc>\(Self.hatch)\(Self.grid)\
                <rect class="bar" x="3%" y="22" width="27.33%" height="176"></rect>\
                <rect class="bar open" x="69.67%" y="110" width="27.33%" height="88" fill="url(#p-h)"></rect>\
                \(Self.ticks)\
                <text class="label" x="16.67%" y="218" text-anchor="middle">Mon</text>\
                <text class="label wide" x="50%" y="218" text-anchor="middle">Tue</text>\
                <text class="label" x="83.33%" y="218" text-anchor="middle">Wed</text></svg>
                """)
    }

    @Test func drawsLinesToTheByte() {
        let points = [
            PlotPoint(label: "a", value: 1), PlotPoint(label: "b", value: 2),
            PlotPoint(label: "c", value: 0, isUnfinished: true),
        ]
        #expect(
            text(points, .line) == """
                \(Self.start)"line"><title id="p-t">T &amp; t</title><desc id="p-d">S</desc>\(Self.hatch)\(Self.grid)\
                <rect class="unfinished" x="50%" y="22" width="50%" height="176" fill="url(#p-h)"></rect>\
                <svg x="0" y="22" width="100%" height="176" viewBox="0 0 1000 176" preserveAspectRatio="none">\
                <path class="area" d="M0 88L500 0L500 176L0 176Z"></path>\
                <path class="line" d="M0 88L500 0" vector-effect="non-scaling-stroke"></path>\
                <path class="area" d="M500 0L1000 176L1000 176L500 176Z"></path>\
                <path class="line" d="M500 0L1000 176" vector-effect="non-scaling-stroke" \
                stroke-dasharray="5 4"></path>\
                </svg><circle class="dot open" cx="100%" cy="198" r="3.5"></circle>\(Self.ticks)\
                <text class="label" x="0%" y="218" text-anchor="start">a</text>\
                <text class="label wide" x="50%" y="218" text-anchor="middle">b</text>\
                <text class="label" x="100%" y="218" text-anchor="end">c</text></svg>
                """)
    }

    @Test func drawsNothingThatItDoesNotHave() {
        for form in [TimePlot.Form.line, .bars] {
            let empty = text([], form)
            #expect(!empty.contains("class=\"dot\"") && !empty.contains("class=\"bar\""))
            let gaps = [nil, 1, nil, nil, 2].map { PlotPoint(label: "", value: $0) }
            #expect(!text(gaps, form).contains("nan"))
        }
        #expect(text([nil, 1, nil].map { PlotPoint(label: "", value: $0) }, .line).contains("class=\"dot\""))
    }

    @Test func drawsSeriesWithTheirAxes() {
        var html = HTMLWriter()
        SeriesPlot(title: "a < b", lines: [[0, 10], [], [20, -5]], times: ["0 s", "2 s"]) { tick, step in
            "\(tick) of \(step)"
        }.write(to: &html)
        let text = String(decoding: html.bytes, as: UTF8.self)
        #expect(text.contains("<title>a &lt; b</title>"))
        // Each value is constant in its interval.
        #expect(text.contains("class=\"first\" points=\"64,198.4 384,198.4 384,107.2 704,107.2\""))
        #expect(text.contains("class=\"second\" points=\"\""))
        #expect(text.contains("class=\"third\" points=\"64,16 384,16 384,244 704,244\""))
        #expect(text.contains(">20.0 of 5.0</text>"))
        #expect(text.contains("x=\"704\" y=\"264\" text-anchor=\"middle\">2 s</text>"))
    }

    @Test func boundsMeters() {
        for (share, width) in [(2.0, "100%"), (0.5, "50%"), (0.001, "0.4%")] {
            var html = HTMLWriter()
            MeterBar(share: share).write(to: &html)
            #expect(String(decoding: html.bytes, as: UTF8.self).contains("class=\"bar\" width=\"\(width)\""))
        }
        var html = HTMLWriter()
        MeterBar(share: .nan).write(to: &html)
        #expect(!String(decoding: html.bytes, as: UTF8.self).contains("class=\"bar\""))
    }
}
