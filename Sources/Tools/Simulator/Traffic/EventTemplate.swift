import Foundation
import SubGuardDomain
import TextCoding

/// The text of an event, with places for its variable parts. Some bad events lack a part.
struct EventTemplate {
    private enum Part { case id, user, time }

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
            if halves.count == 2 {
                pieces[pieces.count - 1].part = halves[0] == "id" ? .id : halves[0] == "user" ? .user : .time
            }
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

    /// Appends the event. User number n has the same hash in every run, independent of the seed.
    func write(id: UUID, user: Int, time: UTCInstant, to body: inout [UInt8]) {
        for (text, part) in pieces {
            body.append(contentsOf: text)
            switch part {
            case .id?: Self.append(36, to: &body) { id.writeLowercased(to: $0) }
            case .time?: Self.append(UTCInstant.rfc3339Bytes, to: &body) { time.writeRFC3339(to: $0) }
            case .user?:
                Self.append(AnalyticsLimits.userIDLength, to: &body) { target in
                    var hash = SplitMix64(seed: UInt64(user) &* 0x2545_F491_4F6C_DD1D)
                    for start in stride(from: 0, to: target.count, by: 16) {
                        let word = hash.next()
                        for digit in 0..<16 {
                            target[start + digit] = Hexadecimal.lower(UInt8(word >> UInt64(60 - digit * 4) & 15))
                        }
                    }
                    return target.count
                }
            case nil: break
            }
        }
    }

    /// Appends what `write` makes of room for so many bytes.
    private static func append(
        _ most: Int, to body: inout [UInt8], _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) {
        let start = body.count
        body.append(contentsOf: repeatElement(0, count: most))
        let count = body.withUnsafeMutableBufferPointer { write(.init(rebasing: $0[start...])) }
        body.removeLast(most - count)
    }
}
