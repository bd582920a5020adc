/// Writes iCalendar text (RFC 5545): explicit all-day events, no recurrence rules, because prices differ from one to
/// the next and a plain monthly rule from the 31st leaves months out.
public struct CalendarFeed: Sendable {
    public struct Event: Sendable, Hashable {
        /// The same for the same thing each time, so that a calendar replaces what it has.
        public var uid: String
        public var day: CalendarDay
        public var summary: String
        public var description: String
        public var category: String

        public init(uid: String, day: CalendarDay, summary: String, description: String = "", category: String = "") {
            self.uid = uid
            self.day = day
            self.summary = summary
            self.description = description
            self.category = category
        }
    }

    /// How far ahead events reach.
    public static let months = 24

    private var lines: [String]

    /// - Parameter name: what calendars show for the whole.
    public init(name: String) {
        lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//SubGuard//subguard//EN", "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH", "X-WR-CALNAME:\(Self.escaped(name))", "NAME:\(Self.escaped(name))",
            "REFRESH-INTERVAL;VALUE=DURATION:PT12H", "X-PUBLISHED-TTL:PT12H",
        ]
    }

    /// - Parameter stamp: when the text is made.
    public mutating func add(_ event: Event, stamp: UTCInstant) {
        lines += [
            "BEGIN:VEVENT", "UID:\(Self.escaped(event.uid))", "DTSTAMP:\(Self.moment(stamp))",
            "DTSTART;VALUE=DATE:\(Self.date(event.day))", "DTEND;VALUE=DATE:\(Self.date(event.day.adding(days: 1)))",
            "SUMMARY:\(Self.escaped(event.summary))",
        ]
        if !event.description.isEmpty { lines.append("DESCRIPTION:\(Self.escaped(event.description))") }
        if !event.category.isEmpty { lines.append("CATEGORIES:\(Self.escaped(event.category))") }
        lines += ["TRANSP:TRANSPARENT", "SEQUENCE:0", "STATUS:CONFIRMED", "END:VEVENT"]
    }

    /// The whole text, lines folded at 75 octets and ended by CR LF.
    public var text: String { (lines + ["END:VCALENDAR"]).map { Self.folded($0) + "\r\n" }.joined() }

    private static func date(_ day: CalendarDay) -> String { day.iso.filter { $0 != "-" } }

    /// Whole seconds, which is all that the format has.
    private static func moment(_ instant: UTCInstant) -> String {
        UTCInstant(secondsSinceEpoch: instant.secondsSinceEpoch).rfc3339.filter { $0 != "-" && $0 != ":" }
    }

    /// Section 3.3.11; other control characters cannot be written and go.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case ";": escaped += "\\;"
            case ",": escaped += "\\,"
            case "\n": if previous != "\r" { escaped += "\\n" }
            case "\r": escaped += "\\n"
            case "\t": escaped += "\t"
            default:
                if scalar.properties.generalCategory != .control { escaped.unicodeScalars.append(scalar) }
            }
            previous = scalar
        }
        return escaped
    }

    /// Section 3.1: at most 75 octets a line without its end; the blank that continues a line counts.
    static func folded(_ line: String) -> String {
        var folded = ""
        var octets = 0
        for scalar in line.unicodeScalars {
            let width = String(scalar).utf8.count
            if octets + width > 75 {
                folded += "\r\n "
                octets = 1
            }
            folded.unicodeScalars.append(scalar)
            octets += width
        }
        return folded
    }
}
