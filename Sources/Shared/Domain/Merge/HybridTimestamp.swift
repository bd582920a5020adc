import TextCoding

/// The time and device of an edit, in an order that all devices agree on (hybrid logical clock).
///
/// Ordered by time, then by a counter for edits within one millisecond, then by device, so that edits of different
/// devices never have equal timestamps. A device whose clock is behind still writes later timestamps than all it has
/// seen.
package struct HybridTimestamp: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970, 0 … 2^48 − 1.
    package let milliseconds: Int64
    package let counter: UInt16
    /// The device that wrote.
    package let node: UInt64

    package init(milliseconds: Int64, counter: UInt16, node: UInt64) {
        self.milliseconds = min(max(milliseconds, 0), 0xFFFF_FFFF_FFFF)
        self.counter = counter
        self.node = node
    }

    /// Older than every edit: for values set by the program, not by the user.
    package static let origin = HybridTimestamp(milliseconds: 0, counter: 0, node: 0)

    /// For what a file says about rows whose ids all devices take from it: later than what the program derives or
    /// keeps, earlier than what it writes along with edits, so that two devices can read one file, whenever they do,
    /// and every edit of a person stays.
    package static let ofFile = HybridTimestamp(milliseconds: 2, counter: 0, node: 0)

    /// Edits are later than this (2004), stamps of the program earlier.
    private static let firstEdit: Int64 = 1 << 40

    /// The stamp of what the program writes along with the edit that has this one: in the order of time among
    /// themselves, but earlier than every edit.
    package var ofProgram: HybridTimestamp {
        HybridTimestamp(
            milliseconds: min(max(milliseconds >> 4, 3), Self.firstEdit - 1),
            counter: UInt16(milliseconds & 15) << 12 | min(counter, 4095), node: node)
    }

    /// The same, and later than an earlier one whose device had a clock that was ahead.
    package func ofProgram(after old: HybridTimestamp) -> HybridTimestamp {
        guard ofProgram <= old else { return ofProgram }
        return old.counter < .max
            ? HybridTimestamp(milliseconds: old.milliseconds, counter: old.counter + 1, node: node)
            : HybridTimestamp(milliseconds: min(old.milliseconds + 1, Self.firstEdit - 1), counter: 0, node: node)
    }

    /// Whether the program wrote the value, and no person.
    package var isOfProgram: Bool { milliseconds < Self.firstEdit }

    /// When the edit was made, also of what was written along with it; nil when the stamp is the same at all times.
    package var madeAt: Int64? {
        guard isOfProgram else { return milliseconds }
        return milliseconds > 2 ? milliseconds << 4 | Int64(counter >> 12) : nil
    }

    /// The 32 hexadecimal digits of time, counter and device.
    package init?(wire: String) {
        // In one pass over the bytes: every row of a backup holds some of them.
        var (high, node, count) = (UInt64(0), UInt64(0), 0)
        for byte in wire.utf8 {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            count += 1
            if count <= 16 { high = high << 4 | UInt64(digit) } else { node = node << 4 | UInt64(digit) }
        }
        guard count == 32 else { return nil }
        self.init(milliseconds: Int64(high >> 16), counter: UInt16(truncatingIfNeeded: high), node: node)
    }

    package var wire: String {
        Hexadecimal.text(UInt64(milliseconds) << 16 | UInt64(counter)) + Hexadecimal.text(node)
    }

    package static func < (left: HybridTimestamp, right: HybridTimestamp) -> Bool {
        (left.milliseconds, left.counter, left.node) < (right.milliseconds, right.counter, right.node)
    }
}

/// A device's hybrid logical clock, as a value.
package struct HybridClock: Sendable, Hashable {
    /// No timestamp can be issued: the last one is the greatest there is.
    package struct Exhausted: Error, Sendable, Hashable {
        package init() {}
    }

    /// The latest timestamp that can be honest at a moment: a day ahead, for clocks that differ. Edits with a later one
    /// would win every merge until then, so that they are refused from others.
    package static func bound(at now: UTCInstant) -> HybridTimestamp {
        HybridTimestamp(milliseconds: now.adding(days: 1).millisecondsSinceEpoch, counter: .max, node: .max)
    }

    /// The last timestamp issued or observed.
    package private(set) var last: HybridTimestamp
    package let node: UInt64

    package init(node: UInt64, last: HybridTimestamp = .origin) {
        self.node = node
        self.last = last
    }

    /// Issues a timestamp later than all issued or observed before, even when the wall clock was set back.
    package mutating func tick(now: UTCInstant) throws(Exhausted) -> HybridTimestamp {
        let wall = now.millisecondsSinceEpoch
        let next =
            if wall > last.milliseconds {
                HybridTimestamp(milliseconds: wall, counter: 0, node: node)
            } else if last.counter < .max {
                HybridTimestamp(milliseconds: last.milliseconds, counter: last.counter + 1, node: node)
            } else {
                HybridTimestamp(milliseconds: last.milliseconds + 1, counter: 0, node: node)
            }
        // The greatest time stays what it is.
        guard next > last else { throw Exhausted() }
        last = next
        return next
    }

    /// Observes another device's timestamp, so that the next edit here is later.
    package mutating func observe(_ other: HybridTimestamp) {
        guard other > last else { return }
        last = HybridTimestamp(milliseconds: other.milliseconds, counter: other.counter, node: node)
    }
}
