import SubGuardDomain

/// A period of more than 7 × 24 h between two consecutive events of a user.
///
/// A user was active in a window that ends at T if their first and last event and these absences say so: they were,
/// unless T lies in an absence that began at least the window's length before.
struct Absence: Hashable {
    let leftAt: UTCInstant
    let returnedAt: UTCInstant

    /// Nil when the events are too close for any window to fit between them.
    init?(from leftAt: UTCInstant, until returnedAt: UTCInstant) {
        guard returnedAt > leftAt.adding(days: 7) else { return nil }
        self.leftAt = leftAt
        self.returnedAt = returnedAt
    }

    /// Adds the absence to the figures `count` times; -1 removes it.
    func fold(_ count: Int64, into figures: inout FigureFold) {
        let isLong = returnedAt > leftAt.adding(days: 30)
        figures.add(FigureSet(.returns7d), -count, at: leftAt.adding(days: 7))
        figures.add(
            isLong ? [FigureSet(.returns7d), FigureSet(.returns30d)] : FigureSet(.returns7d), count, at: returnedAt)
        if isLong { figures.add(FigureSet(.returns30d), -count, at: leftAt.adding(days: 30)) }
    }
}
