import Foundation
import JSONWire
package import SQLDatabase
import ServerAccess
package import SubGuardDomain
import SubGuardSQL
import Synchronization

/// To which day of the figures a moment belongs: days begin at midnight of the operator's time zone.
///
/// A change of the zone may leave earlier days as they were cut; then there are several sections, each with its zone.
/// Days follow each other without gaps and never overlap: a later moment never belongs to an earlier day.
package struct ReportCalendar: Sendable, Hashable {
    /// A zone and from when on it holds.
    struct Section: Sendable, Hashable {
        let zone: ZoneOffsets
        /// The first moment of ``firstDay``; the earliest one for the first section.
        let startsAt: UTCInstant
        /// Days since the epoch.
        let firstDay: Int64
    }

    /// At least one, in order.
    private let sections: [Section]

    package static let utc = ReportCalendar(ZoneOffsets.utc)

    init(_ zone: ZoneOffsets) {
        sections = [Section(zone: zone, startsAt: .earliest, firstDay: .min)]
    }

    private init(sections: [Section]) { self.sections = sections }

    /// Nil for a name that the system does not know as a zone.
    package init?(zoneName: String) {
        guard let zone = ZoneOffsets.named(zoneName) else { return nil }
        self.init(zone)
    }

    /// The name of the zone in which days are cut now, such as `Europe/Paris`.
    package var zoneName: String { current.zone.name }

    /// The first day of the current zone; nil if all days are cut in it.
    package var firstDay: CalendarDay? {
        sections.count == 1 ? nil : CalendarDay(daysSinceEpoch: Int(clamping: current.firstDay))
    }

    /// The zones in their order, each with its first moment and day, for others who cut days by them. The first one
    /// also holds before.
    package var zones: [(name: String, startsAt: UTCInstant, firstDay: Int64)] {
        sections.map { ($0.zone.name, $0.startsAt, $0.firstDay) }
    }

    private var current: Section { sections[sections.count - 1] }

    /// Days since the epoch.
    func number(of instant: UTCInstant) -> Int64 {
        var index = sections.count - 1
        while index > 0, instant < sections[index].startsAt { index -= 1 }
        let section = sections[index]
        let day = section.zone.day(of: instant)
        guard sections.count > 1 else { return day }
        let last = index + 1 < sections.count ? sections[index + 1].firstDay - 1 : .max
        return min(max(day, section.firstDay), last)
    }

    package func day(of instant: UTCInstant) -> CalendarDay {
        CalendarDay(daysSinceEpoch: Int(clamping: number(of: instant))) ?? instant.day
    }

    /// The first moment of a day or, if the zone has no such day, of the next one.
    package func start(of day: Int64) -> UTCInstant {
        // No zone is further from UTC than a day.
        let length = ZoneOffsets.millisecondsPerDay
        var (low, high) = ((day - 2) * length, (day + 2) * length)
        while low < high {
            let middle = low + (high - low) / 2
            if number(of: UTCInstant(millisecondsSinceEpoch: middle)) < day { low = middle + 1 } else { high = middle }
        }
        return UTCInstant(millisecondsSinceEpoch: low)
    }

    /// This calendar up to the day after a moment, and another zone from then on. The day between them is longer or
    /// shorter by the difference of both, and like those after it begins after the moment, so all its events are known.
    func changing(to zone: ZoneOffsets, after moment: UTCInstant) -> ReportCalendar {
        // Changes after the moment are taken back.
        let kept = sections.enumerated().filter { $0.offset == 0 || $0.element.startsAt <= moment }.map(\.element)
        let former = ReportCalendar(sections: kept)
        if former.zoneName == zone.name { return former }
        let firstDay = max(former.number(of: moment), zone.day(of: moment)) + 2
        let startsAt = ReportCalendar(zone).start(of: firstDay)
        return ReportCalendar(sections: kept + [Section(zone: zone, startsAt: startsAt, firstDay: firstDay)])
    }
}

/// The stored calendar: the rows of `report_zones`, none for UTC. Code that counts or reads figures reads it in the
/// same transaction, so that all servers change at once.
extension ReportCalendar {
    package static func load(in session: any SQLSession) throws -> ReportCalendar {
        let sections = try session.query(
            "SELECT zone, starts_at, first_day FROM report_zones ORDER BY starts_at", []
        ) { row in
            let name = try row.text(0)
            guard let zone = ZoneOffsets.named(name) else {
                throw SQLError(
                    code: .other, number: 0, context: "this system does not know the time zone \(name) of the figures")
            }
            return Section(zone: zone, startsAt: try row.instant(1), firstDay: try row.integer(2))
        }
        return sections.isEmpty ? .utc : ReportCalendar(sections: sections)
    }

    func save(in transaction: any SQLTransaction) throws {
        try transaction.execute("DELETE FROM report_zones")
        try transaction.execute(
            "INSERT INTO report_zones (zone, starts_at, first_day) VALUES (?, ?, ?)",
            rows: sections.map { [.text($0.zone.name), .instant($0.startsAt), .integer($0.firstDay)] })
    }

    /// Writes a row about a change of the calendar.
    func audit(
        from before: ReportCalendar, by actor: Actor, at now: UTCInstant, in transaction: any SQLTransaction
    ) throws {
        try AuditLog.append(
            .figuresZone, before: before.auditJSON, after: auditJSON, by: actor, at: now, in: transaction)
    }

    private var auditJSON: String {
        var members: [(String, JSONValue)] = [("zone", .string(zoneName))]
        if let firstDay { members.append(("zone_since", .string(firstDay.iso))) }
        return JSONValue.object(JSONObject(members)).text
    }
}

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
