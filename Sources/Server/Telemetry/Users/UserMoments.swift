import EventLog
package import SQLDatabase
import SubGuardDomain

/// The moments of one user from which all figures about them follow.
struct UserMoments: Hashable {
    var firstSeenAt: UTCInstant
    var lastSeenAt: UTCInstant
    /// No event from then on lies in an absence of this user; nil before the first absence.
    var returnedAt: UTCInstant?
    /// That of the events at ``firstSeenAt``.
    var segment = UserSegment.unknown
    // Milliseconds by ``Milestone``, without memory of their own: a fold holds many of these.
    private var marks = SIMD8<Int64>(repeating: UserMoments.none)

    private static let none = Int64.min

    /// Without any mark, of an unknown segment.
    init(firstSeenAt: UTCInstant, lastSeenAt: UTCInstant, returnedAt: UTCInstant? = nil) {
        self.firstSeenAt = firstSeenAt
        self.lastSeenAt = lastSeenAt
        self.returnedAt = returnedAt
    }

    /// The download, or the earliest event of one who never told of it.
    var signupAt: UTCInstant { self[.appDownloaded] ?? firstSeenAt }

    /// The earliest moment of the milestone's event, or nil.
    subscript(milestone: Milestone) -> UTCInstant? {
        get {
            let mark = marks[milestone.rawValue]
            return mark == Self.none ? nil : UTCInstant(millisecondsSinceEpoch: mark)
        }
        set { marks[milestone.rawValue] = newValue?.millisecondsSinceEpoch ?? Self.none }
    }

    /// Notes an event of the milestone.
    mutating func mark(_ milestone: Milestone, at instant: UTCInstant) {
        self[milestone] = self[milestone].map { min($0, instant) } ?? instant
    }

    /// Updates the figures from the user's previous moments, nil for a new user, to these.
    func fold(from old: UserMoments?, into figures: inout FigureFold) {
        if let old, old.signupAt == signupAt {
            figures.add(old.signupFigures.subtracting(signupFigures), -1, at: signupAt)
            figures.add(signupFigures.subtracting(old.signupFigures), 1, at: signupAt)
        } else {
            if let old { figures.add(old.signupFigures, -1, at: old.signupAt) }
            figures.add(signupFigures, 1, at: signupAt)
        }
        figures.funnels.move(from: old, to: self)
        Self.move(.conversions, from: old?[.premiumConversion], to: self[.premiumConversion], in: &figures)
        Self.move(.firstSeen, from: old?.firstSeenAt, to: firstSeenAt, in: &figures)
        Self.move(.lastSeen, from: old?.lastSeenAt, to: lastSeenAt, in: &figures)
    }

    /// Removes the user from the figures.
    func unfold(from figures: inout FigureFold) {
        figures.add(signupFigures, -1, at: signupAt)
        figures.funnels.move(from: self, to: nil)
        Self.move(.conversions, from: self[.premiumConversion], to: nil, in: &figures)
        Self.move(.firstSeen, from: firstSeenAt, to: nil, in: &figures)
        Self.move(.lastSeen, from: lastSeenAt, to: nil, in: &figures)
    }

    /// Those that the user counts in at their signup.
    private var signupFigures: FigureSet {
        var figures = FigureSet(.users)
        for milestone in Milestone.allCases where self[milestone] != nil {
            if let figure = Figure(markedBy: milestone) { figures.insert(FigureSet(figure)) }
        }
        return figures
    }

    private static func move(
        _ figure: Figure, from old: UTCInstant?, to new: UTCInstant?, in figures: inout FigureFold
    ) {
        guard old != new else { return }
        if let old { figures.add(FigureSet(figure), -1, at: old) }
        if let new { figures.add(FigureSet(figure), 1, at: new) }
    }
}

/// The events that count once per user, at the moment when each first happened.
///
/// The order is that of the flags in a stored user.
enum Milestone: Int, CaseIterable {
    case appDownloaded
    case firstSubscriptionAdded
    case fiveSubscriptionsReached
    case retentionD1
    case retentionD7
    case retentionD30
    case premiumConversion

    /// Nil for an event that counts each time.
    init?(eventName: String) {
        switch eventName {
        case "app_downloaded": self = .appDownloaded
        case "first_subscription_added": self = .firstSubscriptionAdded
        case "five_subscriptions_reached": self = .fiveSubscriptionsReached
        case "retention_d1": self = .retentionD1
        case "retention_d7": self = .retentionD7
        case "retention_d30": self = .retentionD30
        case "premium_conversion": self = .premiumConversion
        default: return nil
        }
    }
}

/// The all-time totals, in one row.
package struct UserTotals: Sendable, Hashable {
    /// Distinct users with at least one accepted event.
    package let users: Int64
    /// Users who ever converted.
    package let conversions: Int64
    /// Subscriptions added minus removed.
    package let subscriptions: Int64

    package init(users: Int64, conversions: Int64, subscriptions: Int64) {
        self.users = users
        self.conversions = conversions
        self.subscriptions = subscriptions
    }

    /// In an ingest, call it after the transaction has written its events, so that the writer that crosses a threshold
    /// sees it.
    package static func load(in session: any SQLSession) throws -> UserTotals {
        let totals = try session.first("SELECT users, conversions, subscriptions FROM figure_totals WHERE id = 1") {
            UserTotals(users: try $0.integer(0), conversions: try $0.integer(1), subscriptions: try $0.integer(2))
        }
        guard let totals else { throw SQLError(code: .corrupt, number: 0, context: "figure_totals row missing") }
        return totals
    }

    static func add(_ counts: FigureCounts, in transaction: any SQLTransaction) throws {
        let changes = [counts[.users], counts[.conversions], counts[.subscriptions]]
        guard changes.contains(where: { $0 != 0 }) else { return }
        try transaction.execute(
            """
            UPDATE figure_totals SET users = users + ?, conversions = conversions + ?,
                subscriptions = subscriptions + ?
            WHERE id = 1
            """, changes.map { .integer($0) })
    }
}
