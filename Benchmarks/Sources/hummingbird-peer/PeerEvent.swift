import Foundation

/// An event as read by `JSONDecoder`, validated against the contract.
struct PeerEvent: Decodable {
    enum PropertyValue: Codable {
        case text(String)
        case integer(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .integer(try container.decode(Int.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .integer(let value): try container.encode(value)
            }
        }
    }

    let id: UUID
    let name: String
    let userID: String
    let timestamp: Date
    let properties: [String: PropertyValue]?

    enum CodingKeys: String, CodingKey {
        case id, name, timestamp, properties
        case userID = "user_id"
    }

    private static let deviceProperties: Set<String> = ["app_version", "os_version", "platform", "locale"]
    private static let itemProperties = deviceProperties.union(["catalogue_item_id"])
    private static let allowedProperties: [String: Set<String>] = [
        "app_downloaded": deviceProperties, "first_subscription_added": deviceProperties,
        "five_subscriptions_reached": deviceProperties, "retention_d1": deviceProperties,
        "retention_d7": deviceProperties, "retention_d30": deviceProperties, "app_opened": deviceProperties,
        "subscription_added": itemProperties, "subscription_removed": itemProperties,
        "premium_conversion": deviceProperties.union(["price_tier", "days_since_first_launch"]),
    ]

    /// The code of the first broken rule, or nil.
    func rejection(receivedAt: Date) -> String? {
        guard let allowed = Self.allowedProperties[name] else { return "unknown_event" }
        guard userID.utf8.count == 64, userID.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return "invalid_user_id" }
        let age = receivedAt.timeIntervalSince(timestamp)
        guard age <= 400 * 86_400, age >= -86_400 else { return "timestamp_out_of_range" }
        guard properties?.keys.allSatisfy({ allowed.contains($0) }) ?? true else { return "property_not_allowed" }
        return nil
    }

    var userHash: Data {
        var data = Data(capacity: 32)
        var high: UInt8?
        for digit in userID.utf8 {
            let value = digit < 97 ? digit - 48 : digit - 87
            if let first = high {
                data.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return data
    }
}
