/// A share as a ring that begins at the top. The number stands beside it.
package struct RingPlot: Sendable {
    /// From 0 to 1.
    package let share: Double
    /// What it shows, for screen readers.
    package let label: String

    package init(share: Double, label: String) {
        self.share = min(max(share.isFinite ? share : 0, 0), 1)
        self.label = label
    }

    private static let size = 72.0
    private static let radius = 30.0

    package func write(to html: inout HTMLWriter) {
        let middle = Self.size / 2
        html.add(
            svg: .svg, .class("ring"), .role("img"), .aria("label", label),
            .viewBox(width: Int(Self.size), height: Int(Self.size))
        ) { html in
            html.add(
                svg: .circle, .class("track"), .cx(percent: 50), .cy(middle), .radius(Self.radius))
            if share > 0.999 {
                html.add(svg: .circle, .class("arc"), .cx(percent: 50), .cy(middle), .radius(Self.radius))
            } else if share > 0 {
                // An arc of SVG: radii, rotation, whether it is the longer one, clockwise, end.
                let point = Self.point(share)
                let top = PlotNumber.text(middle - Self.radius)
                let radius = PlotNumber.text(Self.radius)
                html.add(
                    svg: .path, .class("arc"),
                    .path(
                        "M\(PlotNumber.text(middle)) \(top)A\(radius) \(radius) 0 \(share > 0.5 ? 1 : 0) 1 "
                            + "\(PlotNumber.text(point.x)) \(PlotNumber.text(point.y))"))
            }
        }
    }

    /// Where the arc ends.
    private static func point(_ share: Double) -> (x: Double, y: Double) {
        let (sine, cosine) = sineAndCosine(ofTurns: share)
        return (size / 2 + radius * sine, size / 2 - radius * cosine)
    }

    /// By the series of Taylor around a quarter of a turn, so that no library of mathematics is needed; exact to 1e-9.
    private static func sineAndCosine(ofTurns turns: Double) -> (sine: Double, cosine: Double) {
        let quarter = (turns * 4).rounded(.down)
        let angle = (turns * 4 - quarter) * Double.pi / 2
        var (sine, cosine, term) = (0.0, 0.0, 1.0)
        for power in 0..<20 {
            switch power % 4 {
            case 0: cosine += term
            case 1: sine += term
            case 2: cosine -= term
            default: sine -= term
            }
            term *= angle / Double(power + 1)
        }
        return switch Int(quarter) % 4 {
        case 0: (sine, cosine)
        case 1: (cosine, -sine)
        case 2: (-sine, -cosine)
        default: (-cosine, sine)
        }
    }
}
