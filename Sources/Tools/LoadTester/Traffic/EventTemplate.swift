import Foundation
import SubGuardDomain
import TextCoding

/// The text of an event, with places for its variable parts. Some bad events lack a part.
struct EventTemplate {
    private enum Piece {
        case text(String)
        case id, user, time
    }

    /// Enough for most events.
    static let usualBytes = 320

    private static let device = [
        #""app_version":"2.4.1","os_version":"18.1.1","platform":"ios","locale":"fr_FR""#,
        #""app_version":"2.4.0","os_version":"17.6","platform":"ios","locale":"en_GB""#,
        #""app_version":"2.3.7","os_version":"15.1","platform":"macos","locale":"de_CH""#,
    ]
    private static let item = #""catalogue_item_id":"018f3c2a-7b1e-7c3d-9a4f-0123456789ab""#

    private let pieces: [Piece]

    private init(_ pieces: Piece...) { self.pieces = pieces }

    private init(
        id: Piece = .id, name: String, user: Piece = .user, time: Piece = .time, properties: String = ""
    ) {
        let tail = properties.isEmpty ? "" : #","properties":{\#(properties)}"#
        self.init(
            .text(#"{"id":""#), id, .text(#"","name":"\#(name)","user_id":""#), user,
            .text(#"","timestamp":""#), time, .text(#""\#(tail)}"#))
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
        EventTemplate(.text("42")),
        EventTemplate(id: .text("not-an-id"), name: "app_opened"),
        EventTemplate(name: "subscription_price_changed"),
        EventTemplate(name: "app_opened", user: .text("someone@example.org")),
        EventTemplate(name: "app_opened", time: .text("yesterday")),
        EventTemplate(name: "app_opened", time: .text("1999-12-31T23:59:59.999Z")),
        EventTemplate(name: "subscription_added", properties: #""amount":"12.34""#),
        EventTemplate(name: "premium_conversion", properties: #""days_since_first_launch":-1"#),
    ]

    /// Appends the event. User number n has the same hash in every run, independent of the seed.
    func write(id: UUID, user: Int, time: UTCInstant, to body: inout [UInt8]) {
        for piece in pieces {
            switch piece {
            case .text(let text): body += text.utf8
            case .id: body += Array(unsafeUninitializedCapacity: 36) { $1 = id.writeLowercased(to: $0) }
            case .time:
                body += Array(unsafeUninitializedCapacity: UTCInstant.rfc3339Bytes) { $1 = time.writeRFC3339(to: $0) }
            case .user:
                var hash = SplitMix64(seed: UInt64(user) &* 0x2545_F491_4F6C_DD1D)
                for _ in 0..<AnalyticsLimits.userIDLength / 16 {
                    let word = hash.next()
                    for shift in stride(from: UInt64(60), through: 0, by: -4) {
                        body.append(Hexadecimal.lower(UInt8(word >> shift & 15)))
                    }
                }
            }
        }
    }
}
