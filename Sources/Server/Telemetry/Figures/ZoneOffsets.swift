import Foundation
import SubGuardDomain
import Synchronization

/// The offsets of a time zone from UTC, from the system's time zone data. Reading them costs as much as a few
/// comparisons, because every event is counted by them.
final class ZoneOffsets: Sendable, Hashable {
    static let millisecondsPerDay: Int64 = 86_400_000
    static let utc = ZoneOffsets(name: "UTC", changes: [], first: 0)

    /// As IANA writes it.
    let name: String
    /// When the offset changes, ascending, in milliseconds, and to what.
    private let changes: [(at: Int64, offset: Int64)]
    private let first: Int64

    private init(name: String, changes: [(at: Int64, offset: Int64)], first: Int64) {
        self.name = name
        self.changes = changes
        self.first = first
    }

    private static let known = Mutex<[String: ZoneOffsets]>([:])

    /// Nil for a name that the system does not know. What the system knows is read once in the life of a process, so
    /// that days are not cut anew in the middle of it.
    static func named(_ name: String) -> ZoneOffsets? {
        if name == "UTC" { return utc }
        if let zone = known.withLock({ $0[name] }) { return zone }
        // A region and a place: abbreviations and fixed offsets change their meaning, or have none.
        guard name.utf8.count <= 64, name.contains("/"), name.utf8.allSatisfy(isNameByte),
            // Copies of the zones under other names, which no other program knows.
            !name.hasPrefix("posix/"), !name.hasPrefix("right/"),
            let bytes = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)"),
            let file = ZoneFile([UInt8](bytes))
        else { return nil }
        let made = ZoneOffsets(
            name: name, changes: file.changes.map { ($0.at * 1000, $0.offset * 1000) }, first: file.first * 1000)
        known.withLock { $0[name] = made }
        return made
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "+"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Days since the epoch of the local day.
    func day(of instant: UTCInstant) -> Int64 {
        let moment = instant.millisecondsSinceEpoch
        let local = moment + offset(at: moment)
        let day = local / Self.millisecondsPerDay
        return local % Self.millisecondsPerDay < 0 ? day - 1 : day
    }

    private func offset(at moment: Int64) -> Int64 {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= moment { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : changes[low - 1].offset
    }

    static func == (left: ZoneOffsets, right: ZoneOffsets) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
