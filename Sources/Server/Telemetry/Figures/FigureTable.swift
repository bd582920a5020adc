import SQLDatabase

/// The two tables of ``FigureCounts`` and the statements on each that writers and readers share.
enum FigureTable: CaseIterable {
    case days
    case hours

    var name: String {
        switch self {
        case .days: "figure_days"
        case .hours: "figure_hours"
        }
    }

    var key: String {
        switch self {
        case .days: "day_number"
        case .hours: "hour_number"
        }
    }

    /// Adds to a row. Arguments: its key, then a value for each figure.
    var addition: SQLBatchStatement {
        switch self {
        case .days: Self.daysAddition
        case .hours: Self.hoursAddition
        }
    }

    /// Deletes a row of zeros. Argument: its key.
    var removal: SQLBatchStatement {
        switch self {
        case .days: Self.daysRemoval
        case .hours: Self.hoursRemoval
        }
    }

    /// Deletes all rows.
    var clearing: String {
        switch self {
        case .days: "DELETE FROM figure_days"
        case .hours: "DELETE FROM figure_hours"
        }
    }

    /// The sums over the rows from the first argument through the second.
    var sums: String {
        switch self {
        case .days: Self.daysSums
        case .hours: Self.hoursSums
        }
    }

    // Made once: statements are cached by their text.
    private static let daysAddition = FigureTable.days.makeAddition()
    private static let hoursAddition = FigureTable.hours.makeAddition()
    private static let daysRemoval = FigureTable.days.makeRemoval()
    private static let hoursRemoval = FigureTable.hours.makeRemoval()
    private static let daysSums = FigureTable.days.makeSums()
    private static let hoursSums = FigureTable.hours.makeSums()

    private func makeAddition() -> SQLBatchStatement {
        let columns = Figure.allCases.map(\.column)
        let sums = columns.map { "\($0) = \(name).\($0) + excluded.\($0)" }.joined(separator: ", ")
        return .insertion(
            into: name, ([key] + columns).map { .integer($0) },
            conflict: "ON CONFLICT (\(key)) DO UPDATE SET \(sums)")
    }

    private func makeRemoval() -> SQLBatchStatement {
        let isEmpty = Figure.allCases.map { "\(name).\($0.column) = 0" }.joined(separator: " AND ")
        return .removal(from: name, by: [.integer(key)], where: isEmpty)
    }

    private func makeSums() -> String {
        let sums = Figure.allCases.map { "sum(\($0.column))" }.joined(separator: ", ")
        return "SELECT \(sums) FROM \(name) WHERE \(key) BETWEEN ? AND ?"
    }
}
