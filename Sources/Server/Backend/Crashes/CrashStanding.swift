import Foundation
import SubGuardDomain

/// What decides which crash group or release goes when there are too many: on how many days how many networks reported
/// it, where a report of 30 days ago counts for half.
///
/// The number of reports has no part in it, because one client can send any number of them.
struct CrashStanding {
    /// The instant, in milliseconds since the epoch, at which a single report would be worth as much. Decay needs no
    /// upkeep that way: the order of two rows never changes while neither is reported.
    private(set) var rank: Int64
    /// The networks of ``markedDay`` that were counted, as bits.
    private(set) var marks: Int64
    /// Days since the epoch.
    private(set) var markedDay: Int64

    /// The rank of a row that never goes.
    static let reserved = Int64.max
    private static let halfLife = 30.0 * 86_400_000
    private static let millisecondsPerDay: Int64 = 86_400_000

    init(rank: Int64, marks: Int64, markedDay: Int64) {
        self.rank = rank
        self.marks = marks
        self.markedDay = markedDay
    }

    /// That of something reported for the first time.
    init(mark: Int, at instant: UTCInstant) {
        rank = instant.millisecondsSinceEpoch
        marks = Self.bit(mark)
        markedDay = Self.day(of: instant)
    }

    /// Counts a report, once for each mark and day. Returns whether anything changed.
    mutating func note(_ mark: Int, at instant: UTCInstant) -> Bool {
        guard rank != Self.reserved else { return false }
        let day = Self.day(of: instant)
        if day != markedDay {
            markedDay = day
            marks = 0
        }
        guard marks & Self.bit(mark) == 0 else { return false }
        marks |= Self.bit(mark)
        // The logarithm of the sum of both worths, each a power of two.
        let now = instant.millisecondsSinceEpoch
        let distance = Double(abs(now - rank)) / Self.halfLife
        rank = max(now, rank) + Int64((Self.halfLife * log2(1 + exp2(-distance))).rounded())
        return true
    }

    private static func bit(_ mark: Int) -> Int64 { Int64(bitPattern: 1 << UInt64(mark & 63)) }

    private static func day(of instant: UTCInstant) -> Int64 {
        let milliseconds = instant.millisecondsSinceEpoch
        let day = milliseconds / millisecondsPerDay
        return milliseconds % millisecondsPerDay < 0 ? day - 1 : day
    }
}
