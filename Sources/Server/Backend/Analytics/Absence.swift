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
        figures.add(.returns7d, -count, at: leftAt.adding(days: 7))
        figures.add(.returns7d, count, at: returnedAt)
        guard returnedAt > leftAt.adding(days: 30) else { return }
        figures.add(.returns30d, -count, at: leftAt.adding(days: 30))
        figures.add(.returns30d, count, at: returnedAt)
    }
}
