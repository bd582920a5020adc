import SubGuardDomain

/// A stretch of more than 7 × 24 h between two events of a user without an event of theirs inside.
///
/// Whether a user was active in the window of some length that ends at T follows from their first event, their last one
/// and these: they were, unless T lies in an absence after its beginning by that length.
struct Absence: Hashable {
    let leftAt: UTCInstant
    let returnedAt: UTCInstant

    /// Nil where the events lie too close for any window to begin and end between them.
    init?(from leftAt: UTCInstant, until returnedAt: UTCInstant) {
        guard returnedAt > leftAt.adding(days: 7) else { return nil }
        self.leftAt = leftAt
        self.returnedAt = returnedAt
    }

    /// Adds the absence to the figures `count` times; -1 takes it away.
    func fold(_ count: Int64, into figures: inout FigureFold) {
        figures.add(.returns7d, -count, at: leftAt.adding(days: 7))
        figures.add(.returns7d, count, at: returnedAt)
        guard returnedAt > leftAt.adding(days: 30) else { return }
        figures.add(.returns30d, -count, at: leftAt.adding(days: 30))
        figures.add(.returns30d, count, at: returnedAt)
    }
}
