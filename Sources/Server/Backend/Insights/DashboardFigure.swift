/// One figure of the dashboard with its movement from week to week.
package struct DashboardFigure: Sendable, Hashable {
    /// Nil where it is not known, e.g. a rate over no sessions.
    package let value: FigureNumber?
    /// What the last 7 × 24 h brought.
    package let thisWeek: FigureNumber?
    /// What the 7 × 24 h before brought.
    package let lastWeek: FigureNumber?
    /// The change of this week over last week in percent; nil where last week was zero, negative or not known.
    package let trendPercent: FigureNumber?

    /// A figure of counts.
    static func counts(value: Int64, thisWeek: Int64, lastWeek: Int64) -> DashboardFigure {
        DashboardFigure(
            value: .count(value), thisWeek: .count(thisWeek), lastWeek: .count(lastWeek),
            trendPercent: .percent(thisWeek - lastWeek, of: lastWeek))
    }

    static let unknown = DashboardFigure(value: nil, thisWeek: nil, lastWeek: nil, trendPercent: nil)
}
