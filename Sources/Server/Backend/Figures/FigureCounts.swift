import SQLDatabase

/// A number for each ``Figure``.
struct FigureCounts: Hashable {
    // One lane per figure, the last three unused: adding and comparing take a few instructions and no allocation.
    private var lanes = SIMD16<Int64>()

    subscript(figure: Figure) -> Int64 {
        get { lanes[figure.rawValue] }
        set { lanes[figure.rawValue] = newValue }
    }

    var isZero: Bool { lanes == SIMD16() }

    static func + (left: FigureCounts, right: FigureCounts) -> FigureCounts {
        var sum = left
        sum.lanes &+= right.lanes
        return sum
    }

    static func += (left: inout FigureCounts, right: FigureCounts) { left.lanes &+= right.lanes }

    static func - (left: FigureCounts, right: FigureCounts) -> FigureCounts {
        var difference = left
        difference.lanes &-= right.lanes
        return difference
    }

    var values: [SQLValue] { Figure.allCases.map { .integer(self[$0]) } }

    /// Reads the columns from `column` on; NULL, the sum over no rows, is zero.
    static func read(_ row: any SQLRow, from column: Int) throws -> FigureCounts {
        var counts = FigureCounts()
        for figure in Figure.allCases { counts[figure] = try row.optionalInteger(column + figure.rawValue) ?? 0 }
        return counts
    }
}
