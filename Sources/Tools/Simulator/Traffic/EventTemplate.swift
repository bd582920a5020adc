import Foundation
import SubGuardDomain
import TextCoding

/// The text of an event, with places for its variable parts. Some bad events lack a part.
struct EventTemplate {
    private enum Part: String { case id, user, time }

    /// Enough for most events.
    static let usualBytes = 320

    private static let device = [
        #""app_version":"2.4.1","os_version":"18.1.1","platform":"ios","locale":"fr_FR""#,
        #""app_version":"2.4.0","os_version":"17.6","platform":"ios","locale":"en_GB""#,
        #""app_version":"2.3.7","os_version":"15.1","platform":"macos","locale":"de_CH""#,
    ]
    private static let item = #""catalogue_item_id":"018f3c2a-7b1e-7c3d-9a4f-0123456789ab""#

    /// Literal text, each followed by a part; nil after the last.
    private var pieces: [(text: [UInt8], part: Part?)] = []

    /// `<id>`, `<user>` and `<time>` are places.
    private init(_ text: String) {
        for piece in text.split(separator: "<", omittingEmptySubsequences: false) {
            let halves = piece.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
            if halves.count == 2 { pieces[pieces.count - 1].part = Part(rawValue: String(halves[0])) }
            pieces.append((Array((halves.last ?? "").utf8), nil))
        }
    }

    private init(
        id: String = "<id>", name: String, user: String = "<user>", time: String = "<time>", properties: String = ""
    ) {
        let tail = properties.isEmpty ? "" : #","properties":{\#(properties)}"#
        self.init(#"{"id":"\#(id)","name":"\#(name)","user_id":"\#(user)","timestamp":"\#(time)"\#(tail)}"#)
    }

    /// Valid events, with realistic frequencies.
    static var good: [EventTemplate] {
        let opened = Array(repeating: "app_opened", count: 10)
        let names = opened + Array(repeating: "subscription_added", count: 4) + EventRegistry.events.map(\.name)
        return names.enumerated().map { index, name in
            let item = name.hasPrefix("subscription_") ? "," + item : ""
            return EventTemplate(name: name, properties: device[index % device.count] + item)
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

    /// Appends the event. User number n has the same hash in every run, independent of the seed.
    func write(id: UUID, user: Int, time: UTCInstant, to body: inout [UInt8]) {
        for (text, part) in pieces {
            body.append(contentsOf: text)
            switch part {
            case .id?: body += Array(unsafeUninitializedCapacity: 36) { $1 = id.writeLowercased(to: $0) }
            case .time?:
                body += Array(unsafeUninitializedCapacity: UTCInstant.rfc3339Bytes) { $1 = time.writeRFC3339(to: $0) }
            case .user?:
                var hash = SplitMix64(seed: UInt64(user) &* 0x2545_F491_4F6C_DD1D)
                for _ in 0..<AnalyticsLimits.userIDLength / 16 {
                    let word = hash.next()
                    for shift in stride(from: UInt64(60), through: 0, by: -4) {
                        body.append(Hexadecimal.lower(UInt8(word >> shift & 15)))
                    }
                }
            case nil: break
            }
        }
    }
}
