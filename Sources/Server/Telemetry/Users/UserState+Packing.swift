import EventLog
import SQLDatabase
import SubGuardDomain

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
