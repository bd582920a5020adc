import SubGuardDomain

/// The moments of one user from which all figures about them follow.
struct UserMoments: Hashable {
    var firstSeenAt: UTCInstant
    var lastSeenAt: UTCInstant
    /// By ``Milestone``: the earliest moment of its event, or nil.
    var marks: [UTCInstant?]
    /// No event from then on lies in an absence of this user; nil before the first absence.
    var returnedAt: UTCInstant?

    /// The download, or the earliest event of one who never told of it.
    var signupAt: UTCInstant { self[.appDownloaded] ?? firstSeenAt }

    subscript(milestone: Milestone) -> UTCInstant? { marks[milestone.rawValue] }

    /// Updates the figures from the user's previous moments, nil for a new user, to these.
    func fold(from old: UserMoments?, into figures: inout FigureFold) {
        let counts = signupCounts
        if old?.signupAt != signupAt || old?.signupCounts != counts {
            if let old { figures.add(FigureCounts() - old.signupCounts, at: old.signupAt) }
            figures.add(counts, at: signupAt)
        }
        Self.move(.conversions, from: old?[.premiumConversion], to: self[.premiumConversion], in: &figures)
        Self.move(.firstSeen, from: old?.firstSeenAt, to: firstSeenAt, in: &figures)
        Self.move(.lastSeen, from: old?.lastSeenAt, to: lastSeenAt, in: &figures)
    }

    /// Removes the user from the figures.
    func unfold(from figures: inout FigureFold) {
        figures.add(FigureCounts() - signupCounts, at: signupAt)
        Self.move(.conversions, from: self[.premiumConversion], to: nil, in: &figures)
        Self.move(.firstSeen, from: firstSeenAt, to: nil, in: &figures)
        Self.move(.lastSeen, from: lastSeenAt, to: nil, in: &figures)
    }

    /// The values that the user adds at their signup.
    private var signupCounts: FigureCounts {
        var counts = FigureCounts()
        counts[.users] = 1
        for milestone in Milestone.allCases where self[milestone] != nil {
            if let figure = Figure(markedBy: milestone) { counts[figure] = 1 }
        }
        return counts
    }

    private static func move(
        _ figure: Figure, from old: UTCInstant?, to new: UTCInstant?, in figures: inout FigureFold
    ) {
        guard old != new else { return }
        if let old { figures.add(figure, -1, at: old) }
        if let new { figures.add(figure, 1, at: new) }
    }
}
