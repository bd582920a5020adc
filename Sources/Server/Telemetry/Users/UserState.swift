import EventLog
import SQLDatabase
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

/// The record of a user in a ``UserPage``: a set of flags, then the numbers for which it has one. Moments are
/// milliseconds after the user's first one, which itself counts from 2020.
extension UserState {
    private static let epoch: Int64 = 1_577_836_800_000
    /// The milestones take the lowest flags.
    private static let wasSeenAgain: UInt64 = 1 << 7
    private static let hasReturned: UInt64 = 1 << 8
    private static let hasAbsences: UInt64 = 1 << 9
    /// Days other than those of the first and the latest event.
    private static let hasDays: UInt64 = 1 << 10

    func pack(into bytes: inout [UInt8], _ calendar: ReportCalendar) {
        let first = moments.firstSeenAt.millisecondsSinceEpoch
        var flags: UInt64 = 0
        for milestone in Milestone.allCases where moments[milestone] != nil { flags |= 1 << UInt64(milestone.rawValue) }
        if moments.lastSeenAt != moments.firstSeenAt { flags |= Self.wasSeenAgain }
        if moments.returnedAt != nil { flags |= Self.hasReturned }
        if !absences.isEmpty { flags |= Self.hasAbsences }
        if days != ActiveDays(from: moments.firstSeenAt, to: moments.lastSeenAt, calendar) { flags |= Self.hasDays }
        bytes.append(packed: flags)
        bytes.append(packedSigned: first - Self.epoch)
        func append(_ instant: UTCInstant) { bytes.append(packedSigned: instant.millisecondsSinceEpoch - first) }
        if flags & Self.wasSeenAgain != 0 { append(moments.lastSeenAt) }
        for milestone in Milestone.allCases { if let mark = moments[milestone] { append(mark) } }
        if let returnedAt = moments.returnedAt { append(returnedAt) }
        if !absences.isEmpty {
            bytes.append(packed: absences.count)
            for absence in absences {
                append(absence.leftAt)
                append(absence.returnedAt)
            }
        }
        bytes.append(packed: moments.segment.packed)
        if flags & Self.hasDays != 0 { days.pack(into: &bytes) }
    }

    init(packed bytes: UnsafeRawBufferPointer, _ calendar: ReportCalendar) throws {
        do {
            var reader = PackedReader(bytes)
            let flags = try reader.number()
            let first = try reader.signedNumber() &+ Self.epoch
            func instant() throws -> UTCInstant {
                UTCInstant(millisecondsSinceEpoch: first &+ (try reader.signedNumber()))
            }
            let firstSeenAt = UTCInstant(millisecondsSinceEpoch: first)
            moments = UserMoments(firstSeenAt: firstSeenAt, lastSeenAt: firstSeenAt)
            if flags & Self.wasSeenAgain != 0 { moments.lastSeenAt = try instant() }
            for milestone in Milestone.allCases where flags & 1 << UInt64(milestone.rawValue) != 0 {
                moments[milestone] = try instant()
            }
            if flags & Self.hasReturned != 0 { moments.returnedAt = try instant() }
            absences = []
            if flags & Self.hasAbsences != 0 {
                for _ in 0..<(try reader.count(of: 2)) {
                    guard let absence = Absence(from: try instant(), until: try instant()) else {
                        throw UserPage.malformed
                    }
                    absences.append(absence)
                }
            }
            guard let segment = UserSegment(packed: try reader.number()) else { throw UserPage.malformed }
            moments.segment = segment
            days =
                flags & Self.hasDays == 0
                ? ActiveDays(from: moments.firstSeenAt, to: moments.lastSeenAt, calendar)
                : try ActiveDays(from: &reader, last: calendar.number(of: moments.lastSeenAt))
            guard reader.isAtEnd else { throw UserPage.malformed }
        } catch is EventBlockError {
            throw UserPage.malformed
        }
    }
}
