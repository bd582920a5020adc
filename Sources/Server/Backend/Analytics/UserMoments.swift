import SubGuardDomain

/// The times of one user from which all figures about the user follow.
struct UserMoments: Hashable {
    var firstSeenAt: UTCInstant
    var lastSeenAt: UTCInstant
    /// By ``Milestone``: the earliest time of its event, or nil.
    var marks: [UTCInstant?]
    /// The end of the last absence, after which no event lies in an absence; nil if there was none.
    var returnedAt: UTCInstant?

    /// The time of `app_downloaded`, or else of the earliest event.
    var signupAt: UTCInstant { self[.appDownloaded] ?? firstSeenAt }

    subscript(milestone: Milestone) -> UTCInstant? { marks[milestone.rawValue] }

    /// Updates the figures from the user's previous state, nil for a new user, to this one.
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

    /// The values counted at the user's signup.
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
