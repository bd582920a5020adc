import JSONWire
import SubGuardDomain

/// Under which id a device reports, and what its events tell of it.
package struct DeviceIdentity: Sendable {
    /// 64 lower-case hexadecimal digits: as little to be told from another as the hash of a real device's id.
    package let userID: String
    private let system: Int

    private static let systems: [[(name: String, value: String)]] = [
        [("app_version", "2.4.1"), ("os_version", "18.1.1"), ("platform", "ios"), ("locale", "fr_FR")],
        [("app_version", "2.4.0"), ("os_version", "17.6"), ("platform", "ios"), ("locale", "en_GB")],
        [("app_version", "2.3.7"), ("os_version", "15.1"), ("platform", "macos"), ("locale", "de_CH")],
    ]

    package init(seed: UInt64, number: Int) {
        var random = LoadRandom(seed: seed &* 0x2545_F491_4F6C_DD1D, thread: number)
        var digits = [UInt8](repeating: 0, count: AnalyticsLimits.userIDLength)
        digits.withUnsafeMutableBytes { digits in
            for word in 0..<4 { HexDigits.write(random.next(), to: digits, at: word * 16) }
        }
        userID = String(decoding: digits, as: UTF8.self)
        system = number % Self.systems.count
    }

    /// The body of a batch, in the client's order of names.
    ///
    /// - Parameters:
    ///   - epoch: the first midnight of the simulation, in milliseconds since 1970.
    ///   - sentAt: what a right clock says. The events lie as far behind it as they are old, so the server moves none.
    func body(of events: some Collection<DeviceEvents.Event>, epoch: Int64, sentAt: Int64) -> [UInt8] {
        var json = JSONWriter(capacity: 64 + events.count * 448)
        json.beginObject()
        json.key("events")
        json.beginArray()
        for event in events { write(event, epoch: epoch, to: &json) }
        json.endArray()
        json.field("sent_at", UTCInstant(millisecondsSinceEpoch: sentAt).rfc3339)
        json.endObject()
        return json.bytes
    }

    private func write(_ event: DeviceEvents.Event, epoch: Int64, to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", event.id.text)
        json.field("name", event.name)
        json.field("user_id", userID)
        json.field("timestamp", UTCInstant(millisecondsSinceEpoch: epoch + event.at).rfc3339)
        json.key("properties")
        json.beginObject()
        for (name, value) in Self.systems[system] { json.field(name, value) }
        for property in event.properties {
            switch property {
            case .item(let id): json.field("catalogue_item_id", id)
            case .tier(let tier): json.field("price_tier", tier)
            case .age(let days): json.field("days_since_first_launch", days)
            }
        }
        json.endObject()
        json.endObject()
    }
}
