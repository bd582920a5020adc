import EventLog
import SubGuardDomain

/// The days on which a user had an event: of the last ``capacity`` days up to the latest of them.
///
/// A device may deliver events 400 days late. Whether such an event changes a count depends on the days up to 30 around
/// it, so this many are kept, and the order in which events arrive makes no difference.
struct ActiveDays: Hashable {
    static let capacity: Int64 = 448
    private static let words = 7

    /// The number of the latest day; meaningless while there is none.
    private(set) var last: Int64 = 0
    // Bit N is the day N days before the latest one. Without memory of their own: a fold holds many of these.
    private var bits = SIMD8<UInt64>()

    /// None.
    init() {}

    /// - Parameter days: in any order; those too long before the latest are left out.
    init(_ days: some Sequence<Int64>) {
        for day in days { set(day) }
    }

    /// Those known of a user of whom only the first and the latest event are.
    init(from first: UTCInstant, to last: UTCInstant, _ calendar: ReportCalendar) {
        self.init(CollectionOfOne(calendar.number(of: last)))
        set(calendar.number(of: first))
    }

    var isEmpty: Bool { bits[0] & 1 == 0 }

    /// The first day that would still be known.
    var firstKnown: Int64 { last - Self.capacity + 1 }

    /// In ascending order.
    var numbers: [Int64] {
        var numbers: [Int64] = []
        forEachOffset { numbers.append(last - $0) }
        return numbers.reversed()
    }

    /// How far the neighbouring days of a new one are; ``none`` stands for that and more, which makes no difference.
    struct Gaps {
        static let none: Int64 = 30

        let previous: Int64
        let next: Int64
    }

    /// Adds a day. Returns nil for one that is there, or so long ago that its neighbours are not known.
    mutating func insert(_ day: Int64) -> Gaps? {
        if day == last, !isEmpty { return nil }
        guard !isEmpty, day < last else {
            let gap = isEmpty ? Gaps.none : min(day - last, Gaps.none)
            set(day)
            return Gaps(previous: gap, next: Gaps.none)
        }
        let offset = last - day
        guard offset < Self.capacity - Gaps.none, !contains(offset: offset) else { return nil }
        var (previous, next): (Int64, Int64) = (1, 1)
        while previous < Gaps.none, !contains(offset: offset + previous) { previous += 1 }
        while next < Gaps.none, !contains(offset: offset - next) { next += 1 }
        set(day)
        return Gaps(previous: previous, next: next)
    }

    private mutating func set(_ day: Int64) {
        if isEmpty {
            last = day
        } else if day > last {
            advance(by: day - last)
            last = day
        }
        let offset = last - day
        if offset < Self.capacity { bits[Int(offset / 64)] |= 1 << UInt64(offset % 64) }
    }

    private func contains(offset: Int64) -> Bool { bits[Int(offset / 64)] >> UInt64(offset % 64) & 1 == 1 }

    private mutating func advance(by days: Int64) {
        var moved = SIMD8<UInt64>()
        if days < Self.capacity {
            let (words, rest) = (Int(days / 64), UInt64(days % 64))
            for index in words..<Self.words {
                moved[index] = bits[index - words] << rest
                if rest > 0, index > words { moved[index] |= bits[index - words - 1] >> (64 - rest) }
            }
        }
        bits = moved
    }

    private func forEachOffset(_ visit: (Int64) -> Void) {
        for word in 0..<Self.words {
            var rest = bits[word]
            while rest != 0 {
                visit(Int64(word * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
    }
}

/// Packed after a user's latest event: the gaps between the days from the latest one back, or a bit for each day before
/// it, whichever is shorter. At most 58 bytes.
extension ActiveDays {
    func pack(into bytes: inout [UInt8]) {
        var (count, gapBytes, previous): (Int, Int, Int64) = (0, 0, 0)
        forEachOffset { offset in
            guard offset > 0 else { return }
            count += 1
            gapBytes += offset - previous < 0x80 ? 1 : 2
            previous = offset
        }
        let bitBytes = Int(previous + 7) / 8
        guard gapBytes > bitBytes else {
            bytes.append(packed: count << 1)
            var previous: Int64 = 0
            forEachOffset { offset in
                if offset > 0 { bytes.append(packed: UInt64(offset - previous)) }
                previous = offset
            }
            return
        }
        bytes.append(packed: bitBytes << 1 | 1)
        for place in 0..<bitBytes {
            var byte: UInt8 = 0
            for bit in 0..<8 {
                let offset = Int64(place * 8 + bit + 1)
                if offset < Self.capacity, contains(offset: offset) { byte |= 1 << UInt8(bit) }
            }
            bytes.append(byte)
        }
    }

    /// Throws when this program cannot have written the bytes.
    init(from reader: inout PackedReader, last: Int64) throws {
        set(last)
        let head = try reader.number()
        // No day takes more than one number, and no byte has more than eight days.
        guard head >> 1 < UInt64(Self.capacity) else { throw PackedReader.malformed }
        var offset: Int64 = 0
        for place in 0..<Int64(head >> 1) {
            if head & 1 == 0 {
                let gap = try reader.number()
                guard gap > 0, gap < UInt64(Self.capacity - offset) else { throw PackedReader.malformed }
                offset += Int64(gap)
                set(last - offset)
            } else {
                let byte = try reader.byte()
                for bit in 0..<Int64(8) where byte >> UInt8(bit) & 1 == 1 {
                    let offset = place * 8 + bit + 1
                    guard offset < Self.capacity else { throw PackedReader.malformed }
                    set(last - offset)
                }
            }
        }
    }
}
