/// Writes iCalendar text (RFC 5545). Every charge is an all-day event of its own: a recurrence rule could not show
/// price changes, and a monthly rule from the 31st skips short months.
public struct CalendarFeed: Sendable {
    /// An event of one day.
    public struct Event: Sendable, Hashable {
        /// Stable across exports, so that a calendar updates its event.
        public var uid: String
        /// The day of the event, whatever the time zone.
        public var day: CalendarDay
        /// The title, which is also the text of the alarms.
        public var summary: String
        /// Further text below the title; empty for none.
        public var description: String
        /// The name of one category; empty for none.
        public var category: String
        /// The alarms, in any order; none by default.
        public var alarms: [Alarm] = []

        /// Takes the texts as they are; ``CalendarFeed/add(_:stamp:)`` escapes them.
        public init(uid: String, day: CalendarDay, summary: String, description: String = "", category: String = "") {
            self.uid = uid
            self.day = day
            self.summary = summary
            self.description = description
            self.category = category
        }
    }

    /// A display alarm, at a local time on the day of the event or before it.
    public struct Alarm: Sendable, Hashable {
        /// Days before the day of the event; 0 for that day.
        public var daysBefore: Int
        /// Minutes after local midnight, 0…1439.
        public var minuteOfDay: Int

        /// Takes the fields as they are.
        public init(daysBefore: Int, minuteOfDay: Int) {
            self.daysBefore = daysBefore
            self.minuteOfDay = minuteOfDay
        }

        /// The duration from the start of the event, at local midnight (RFC 5545 section 3.3.6): `-P2DT15H0M0S`,
        /// `PT9H0M0S`.
        var trigger: String {
            let minutes = minuteOfDay - daysBefore * 1440
            let (days, rest) = (abs(minutes) / 1440, abs(minutes) % 1440)
            return (minutes < 0 ? "-P" : "P") + (days > 0 ? "\(days)D" : "") + "T\(rest / 60)H\(rest % 60)M0S"
        }
    }

    /// Number of months covered.
    public static let months = 24

    private var lines = FoldedLines()
    /// The last formatted stamp; all events of a feed share one.
    private var stamp: (instant: UTCInstant, text: String)?

    /// - Parameter name: the name of the calendar.
    public init(name: String) {
        for line in [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//SubGuard//subguard//EN", "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH",
        ] { lines.add(line) }
        lines.add("X-WR-CALNAME:", escaping: name)
        lines.add("NAME:", escaping: name)
        lines.add("REFRESH-INTERVAL;VALUE=DURATION:PT12H")
        lines.add("X-PUBLISHED-TTL:PT12H")
    }

    /// Adds an event, with the time of the export as its `stamp`.
    public mutating func add(_ event: Event, stamp: UTCInstant) {
        lines.add("BEGIN:VEVENT")
        lines.add("UID:", escaping: event.uid)
        lines.add("DTSTAMP:", escaping: written(stamp))
        lines.add("DTSTART;VALUE=DATE:", escaping: Self.date(event.day))
        lines.add("DTEND;VALUE=DATE:", escaping: Self.date(event.day.adding(days: 1)))
        lines.add("SUMMARY:", escaping: event.summary)
        if !event.description.isEmpty { lines.add("DESCRIPTION:", escaping: event.description) }
        if !event.category.isEmpty { lines.add("CATEGORIES:", escaping: event.category) }
        for line in ["TRANSP:TRANSPARENT", "SEQUENCE:0", "STATUS:CONFIRMED"] { lines.add(line) }
        for alarm in event.alarms {
            for line in ["BEGIN:VALARM", "ACTION:DISPLAY"] { lines.add(line) }
            lines.add("TRIGGER:", escaping: alarm.trigger)
            lines.add("DESCRIPTION:", escaping: event.summary)
            lines.add("END:VALARM")
        }
        lines.add("END:VEVENT")
    }

    /// The complete feed; lines are folded at 75 octets and end in CR LF.
    public var text: String {
        var whole = lines
        whole.add("END:VCALENDAR")
        return String(decoding: whole.bytes, as: UTF8.self)
    }

    private static func date(_ day: CalendarDay) -> String {
        String(decoding: day.iso.utf8.filter(isKept), as: UTF8.self)
    }

    /// In whole seconds, the precision of the format.
    private mutating func written(_ instant: UTCInstant) -> String {
        if let stamp, stamp.instant == instant { return stamp.text }
        let whole = UTCInstant(secondsSinceEpoch: instant.secondsSinceEpoch).rfc3339
        let text = String(decoding: whole.utf8.filter(Self.isKept), as: UTF8.self)
        stamp = (instant, text)
        return text
    }

    private static func isKept(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "-") && byte != UInt8(ascii: ":") }
}

/// The lines of an iCalendar text, escaped, folded and ended by CR LF as they are added.
struct FoldedLines {
    /// RFC 5545 section 3.1: at most 75 octets per line without its end, including the blank that starts a
    /// continuation.
    private static let maximumOctets = 75

    private(set) var bytes: [UInt8] = []
    private var octets = 0

    /// Adds a line that needs neither escaping nor folding.
    mutating func add(_ line: String) {
        bytes.append(contentsOf: line.utf8)
        end()
    }

    /// Adds a property: its name with the colon, then its value, escaped (section 3.3.11). Control characters other
    /// than tabs and line ends are dropped.
    mutating func add(_ name: StaticString, escaping value: String) {
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        octets = name.utf8CodeUnitCount
        var previous: Unicode.Scalar?
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": append("\\", "\\")
            case ";": append("\\", ";")
            case ",": append("\\", ",")
            case "\n": if previous != "\r" { append("\\", "n") }
            case "\r": append("\\", "n")
            default: if scalar == "\t" || !Self.isControl(scalar) { append(scalar) }
            }
            previous = scalar
        }
        end()
    }

    private mutating func append(_ first: Unicode.Scalar, _ second: Unicode.Scalar) {
        append(first)
        append(second)
    }

    /// Never splits a scalar.
    private mutating func append(_ scalar: Unicode.Scalar) {
        let width = UTF8.width(scalar)
        if octets + width > Self.maximumOctets {
            bytes.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " ")])
            octets = 1
        }
        if scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        octets += width
    }

    private mutating func end() {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
        octets = 0
    }

    /// The general category Cc: C0, DEL and C1, which Unicode never changes.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
