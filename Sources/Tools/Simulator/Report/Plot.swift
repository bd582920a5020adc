/// A frame with axes and lines, as inline SVG. The page defines the colours by class.
struct Plot {
    private static let width = 720.0
    private static let height = 280.0
    private static let left = 64.0
    private static let right = 16.0
    private static let top = 16.0
    private static let bottom = 36.0

    let title: String
    /// The maximum of the vertical axis, which begins at 0. Greater than 0.
    let most: Double
    let unit: String
    private var content: [String] = []

    init(title: String, most: Double, unit: String) {
        self.title = title
        self.most = Self.round(up: max(most, 0.001))
        self.unit = unit
        for step in 0...4 {
            let value = self.most * Double(step) / 4
            let y = Self.text(place(value))
            content.append(
                "<line class=\"grid\" x1=\"\(Self.left)\" x2=\"\(Self.width - Self.right)\" y1=\"\(y)\" y2=\"\(y)\"/>")
            content.append(
                "<text class=\"tick\" x=\"\(Self.left - 8)\" y=\"\(y)\" text-anchor=\"end\" dy=\"4\">\(label(value))</text>"
            )
        }
    }

    /// Adds a mark on the horizontal axis, at 0 ... 1 of its length.
    mutating func mark(_ x: Double, _ text: String) {
        let place = Self.text(across(x))
        content.append(
            "<line class=\"grid\" x1=\"\(place)\" x2=\"\(place)\" y1=\"\(Self.top)\" y2=\"\(Self.height - Self.bottom)\"/>"
        )
        content.append(
            "<text class=\"tick\" x=\"\(place)\" y=\"\(Self.height - Self.bottom + 20)\" text-anchor=\"middle\">"
                + "\(Markup.escape(text))</text>")
    }

    /// Adds a line through points with x in 0 ... 1 and values of the vertical axis.
    mutating func line(_ points: [(x: Double, value: Double)], kind: String) {
        let places = points.map { "\(Self.text(across($0.x))),\(Self.text(place($0.value)))" }
        content.append("<polyline class=\"\(Markup.escape(kind))\" points=\"\(places.joined(separator: " "))\"/>")
    }

    var svg: String {
        "<svg viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\">"
            + "<title>\(Markup.escape(title))</title>\n\(content.joined(separator: "\n"))\n</svg>"
    }

    private func across(_ x: Double) -> Double {
        Self.left + min(max(x, 0), 1) * (Self.width - Self.left - Self.right)
    }

    private func place(_ value: Double) -> Double {
        Self.height - Self.bottom - min(max(value / most, 0), 1) * (Self.height - Self.top - Self.bottom)
    }

    private func label(_ value: Double) -> String {
        NumberText.fixed(value, most < 4 ? 2 : most < 40 ? 1 : 0) + (unit.isEmpty ? "" : " \(Markup.escape(unit))")
    }

    private static func text(_ value: Double) -> String { NumberText.fixed(value, 1).replacing(",", with: "") }

    /// Rounds up to 1, 2, 4, 5, 8 or 10 times a power of ten.
    private static func round(up value: Double) -> Double {
        var power = 0.000_1
        while power * 10 < value { power *= 10 }
        return ([1, 2, 4, 5, 8, 10].map { $0 * power }.first { $0 >= value }) ?? power * 10
    }
}
