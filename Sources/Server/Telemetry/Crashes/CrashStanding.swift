import Foundation
import SubGuardDomain

/// The rank of a crash group or release; the lowest is evicted when the limit is reached. It counts the networks that
/// reported it each day, with a half-life of 30 days.
///
/// The number of reports is ignored, because one client can send any number of them.
struct CrashStanding {
    /// The instant, in milliseconds since the epoch, at which a single report would have the same weight. Decay
    /// therefore needs no updates: the order of two rows is constant while neither is reported.
    private(set) var rank: Int64
    /// The networks already counted on ``markedDay``, as bits.
    private(set) var marks: Int64
    /// Days since the epoch.
    private(set) var markedDay: Int64

    /// The rank of a row that is never evicted.
    static let reserved = Int64.max
    private static let halfLife = 30.0 * 86_400_000
    private static let millisecondsPerDay: Int64 = 86_400_000

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
        // The logarithm of the sum of both weights, each a power of two.
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

extension CrashStanding {
    /// The rank after a first report.
    init(mark: Int, at instant: UTCInstant) {
        self.init(rank: instant.millisecondsSinceEpoch, marks: Self.bit(mark), markedDay: Self.day(of: instant))
    }
}
