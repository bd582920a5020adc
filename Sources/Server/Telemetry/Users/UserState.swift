import EventLog
import SubGuardDomain

/// What is stored of a user: everything that the figures need.
struct UserState: Hashable {
    var moments: UserMoments
    /// In no particular order; those that ended within ``FigureRetention/days``.
    var absences: [Absence] = []
    var days = ActiveDays()

    /// A user whose first event, at this moment, is added next.
    init(seenAt instant: UTCInstant) {
        moments = UserMoments(firstSeenAt: instant, lastSeenAt: instant)
    }

    /// Adds an event. The order of events makes no difference. The moments are counted when all are added, by
    /// ``UserMoments/fold(from:into:)``; absences and days at once.
    mutating func add(
        _ milestone: Milestone?, _ segment: UserSegment, at instant: UTCInstant, figures: inout FigureFold
    ) {
        if instant > moments.lastSeenAt {
            insert(Absence(from: moments.lastSeenAt, until: instant), figures: &figures)
            moments.lastSeenAt = instant
        } else if instant < moments.firstSeenAt {
            insert(Absence(from: instant, until: moments.firstSeenAt), figures: &figures)
            moments.firstSeenAt = instant
            moments.segment = segment
        } else if let returnedAt = moments.returnedAt, instant < returnedAt,
            let index = absences.firstIndex(where: { $0.leftAt < instant && instant < $0.returnedAt })
        {
            let absence = absences.remove(at: index)
            absence.fold(-1, into: &figures)
            insert(Absence(from: absence.leftAt, until: instant), figures: &figures)
            insert(Absence(from: instant, until: absence.returnedAt), figures: &figures)
        }
        if instant == moments.firstSeenAt { moments.segment.join(segment) }
        if let milestone { moments.mark(milestone, at: instant) }
        let day = figures.calendar.number(of: instant)
        if let gaps = days.insert(day) { figures.activity.add(day, gaps) }
    }

    private mutating func insert(_ absence: Absence?, figures: inout FigureFold) {
        guard let absence else { return }
        moments.returnedAt = max(moments.returnedAt ?? absence.returnedAt, absence.returnedAt)
        guard absence.returnedAt >= figures.horizon else { return }
        absences.append(absence)
        absence.fold(1, into: &figures)
    }
}

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
