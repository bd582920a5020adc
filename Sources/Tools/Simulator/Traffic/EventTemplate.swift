import SubGuardDomain

/// The text of an event and the positions of its variable parts. A position is nil if the text lacks the part, as in
/// some bad events.
struct EventTemplate {
    let bytes: [UInt8]
    let idPlace: Int?
    let userPlace: Int?
    let timePlace: Int?

    private static let idMark = String(repeating: "I", count: EventID.textLength)
    private static let userMark = String(repeating: "U", count: AnalyticsLimits.userIDLength)
    private static let timeMark = String(repeating: "T", count: InstantText.length)
    private static let device = [
        #""app_version":"2.4.1","os_version":"18.1.1","platform":"ios","locale":"fr_FR""#,
        #""app_version":"2.4.0","os_version":"17.6","platform":"ios","locale":"en_GB""#,
        #""app_version":"2.3.7","os_version":"15.1","platform":"macos","locale":"de_CH""#,
    ]
    private static let item = #""catalogue_item_id":"018f3c2a-7b1e-7c3d-9a4f-0123456789ab""#

    /// Finds the positions by the marks in the text.
    private init(_ text: String) {
        bytes = Array(text.utf8)
        idPlace = Self.place(of: Self.idMark, in: bytes)
        userPlace = Self.place(of: Self.userMark, in: bytes)
        timePlace = Self.place(of: Self.timeMark, in: bytes)
    }

    private init(
        id: String = idMark, name: String, user: String = userMark, time: String = timeMark, properties: String = ""
    ) {
        let tail = properties.isEmpty ? "" : #","properties":{\#(properties)}"#
        self.init(#"{"id":"\#(id)","name":"\#(name)","user_id":"\#(user)","timestamp":"\#(time)"\#(tail)}"#)
    }

    /// Valid events, with realistic frequencies.
    static var good: [EventTemplate] {
        let opened = Array(repeating: "app_opened", count: 10)
        let names = opened + Array(repeating: "subscription_added", count: 4) + EventRegistry.events.map(\.name)
        return names.enumerated().map { index, name in
            let parts = [device[index % device.count]] + (name.hasPrefix("subscription_") ? [item] : [])
            return EventTemplate(name: name, properties: parts.joined(separator: ","))
        }
    }

    /// One for each rule of the contract.
    static let bad = [
        EventTemplate("42"),
        EventTemplate(id: "not-an-id", name: "app_opened"),
        EventTemplate(name: "subscription_price_changed"),
        EventTemplate(name: "app_opened", user: "someone@example.org"),
        EventTemplate(name: "app_opened", time: "yesterday"),
        EventTemplate(name: "app_opened", time: "1999-12-31T23:59:59.999Z"),
        EventTemplate(name: "subscription_added", properties: #""amount":"12.34""#),
        EventTemplate(name: "premium_conversion", properties: #""days_since_first_launch":-1"#),
    ]

    private static func place(of mark: String, in bytes: [UInt8]) -> Int? {
        let mark = Array(mark.utf8)
        guard bytes.count >= mark.count else { return nil }
        return (0...bytes.count - mark.count).first { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
    }
}

/// Timestamps of recent days as text. The dates are formatted once in advance.
struct InstantText {
    /// `2026-11-20T10:00:00.000Z`
    static let length = 24
    private static let millisecondsPerDay: Int64 = 86_400_000

    private let firstDay: Int64
    private let days: [[UInt8]]

    /// For times from `days` before `now` to a day after it.
    init(now: Int64, days count: Int) {
        firstDay = now / Self.millisecondsPerDay - Int64(count) - 1
        let first = firstDay
        days = (0..<Int64(count + 3)).map { offset in
            let noon = UTCInstant(millisecondsSinceEpoch: (first + offset) * Self.millisecondsPerDay)
            return Array(noon.rfc3339.utf8.prefix(10))
        }
    }

    /// Writes 24 characters at the position. A time outside the range is moved to the nearest day in it.
    func write(_ milliseconds: Int64, to target: UnsafeMutableRawBufferPointer, at position: Int) {
        let day = milliseconds / Self.millisecondsPerDay
        let text = days[min(max(Int(day - firstDay), 0), days.count - 1)]
        for index in 0..<10 { target[position + index] = text[index] }
        let time = Int(milliseconds - day * Self.millisecondsPerDay)
        target[position + 10] = UInt8(ascii: "T")
        digits(time / 3_600_000, 2, target, position + 11)
        target[position + 13] = UInt8(ascii: ":")
        digits(time / 60_000 % 60, 2, target, position + 14)
        target[position + 16] = UInt8(ascii: ":")
        digits(time / 1000 % 60, 2, target, position + 17)
        target[position + 19] = UInt8(ascii: ".")
        digits(time % 1000, 3, target, position + 20)
        target[position + 23] = UInt8(ascii: "Z")
    }

    private func digits(_ value: Int, _ width: Int, _ target: UnsafeMutableRawBufferPointer, _ position: Int) {
        var rest = value
        for index in stride(from: position + width - 1, through: position, by: -1) {
            target[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
