import Foundation

/// The allow-list of analytics events. Ingest, the OpenAPI document, the privacy report and the device's queue read it;
/// anything else is rejected.
public enum EventRegistry {
    /// Every event, in the order of the contract.
    public static let events: [EventDefinition] = [
        milestone("app_downloaded"),
        milestone("first_subscription_added"),
        milestone("five_subscriptions_reached"),
        milestone("retention_d1"),
        milestone("retention_d7"),
        milestone("retention_d30"),
        event("app_opened"),
        event("subscription_added", [catalogueItem]),
        event("subscription_removed", [catalogueItem]),
        milestone("premium_conversion", [priceTier, daysSinceFirstLaunch]),
    ]

    /// The event of that name, or nil; allocates nothing.
    public static func definition(named name: UnsafeRawBufferPointer) -> EventDefinition? {
        index(named: name).map { events[$0] }
    }

    /// The event of that name; nil for one that is not in the registry.
    public static func definition(named name: String) -> EventDefinition? {
        var name = name
        return name.withUTF8 { definition(named: UnsafeRawBufferPointer($0)) }
    }

    /// The index in `events` of the event of that name. May change between releases.
    public static func index(named name: UnsafeRawBufferPointer) -> Int? {
        for index in events.indices where events[index].wireName.equals(name) { return index }
        return nil
    }

    /// Whether any event allows a property of that name; allocates nothing.
    public static func hasProperty(named name: UnsafeRawBufferPointer) -> Bool {
        for property in allProperties where property.wireName.equals(name) { return true }
        return false
    }

    private static let allProperties = device + [catalogueItem, priceTier, daysSinceFirstLaunch]

    private static let device = [
        PropertyDefinition(name: "app_version", kind: shortText),
        PropertyDefinition(name: "os_version", kind: shortText),
        PropertyDefinition(name: "platform", kind: shortText),
        PropertyDefinition(name: "locale", kind: .locale),
    ]
    private static let catalogueItem = PropertyDefinition(name: "catalogue_item_id", kind: .uuid)
    private static let priceTier = PropertyDefinition(name: "price_tier", kind: shortText)
    private static let daysSinceFirstLaunch = PropertyDefinition(
        name: "days_since_first_launch", kind: .integer(0...36_500))
    private static let shortText = PropertyKind.shortText(maximumBytes: AnalyticsLimits.maximumTextBytes)

    private static func event(_ name: String, _ more: [PropertyDefinition] = []) -> EventDefinition {
        EventDefinition(name: name, properties: device + more, countsOncePerUser: false)
    }

    private static func milestone(_ name: String, _ more: [PropertyDefinition] = []) -> EventDefinition {
        EventDefinition(name: name, properties: device + more, countsOncePerUser: true)
    }
}

/// An event that a device may report, with its allowed properties.
public struct EventDefinition: Sendable, Hashable {
    let wireName: WireName
    /// The properties that the event allows: those of every event first, then its own.
    public let properties: [PropertyDefinition]
    /// Whether it is a milestone: only the first one per user counts.
    public let countsOncePerUser: Bool

    init(name: String, properties: [PropertyDefinition], countsOncePerUser: Bool) {
        wireName = WireName(name)
        self.properties = properties
        self.countsOncePerUser = countsOncePerUser
    }

    /// The name on the wire, such as `app_opened`.
    public var name: String { wireName.text }

    /// The property of that name, or nil when the event does not allow it; allocates nothing.
    public func property(named name: UnsafeRawBufferPointer) -> PropertyDefinition? {
        for index in properties.indices where properties[index].wireName.equals(name) { return properties[index] }
        return nil
    }

    /// The property of that name; nil when the event has none.
    public func property(named name: String) -> PropertyDefinition? {
        var name = name
        return name.withUTF8 { property(named: UnsafeRawBufferPointer($0)) }
    }
}

/// A property that an event may carry.
public struct PropertyDefinition: Sendable, Hashable {
    let wireName: WireName
    /// The type of its values; an event with any other value is rejected.
    public let kind: PropertyKind

    init(name: String, kind: PropertyKind) {
        wireName = WireName(name)
        self.kind = kind
    }

    /// The name on the wire, such as `app_version`.
    public var name: String { wireName.text }
}

/// The type of a property. No type has room for an amount, a name or a note.
public enum PropertyKind: Sendable, Hashable {
    /// 1 to `maximumBytes` printable ASCII characters.
    case shortText(maximumBytes: Int)
    /// A BCP 47 language tag, with `-` or `_` between its parts: `fr`, `fr_CH`, `zh-Hans-CN`.
    case locale
    /// A UUID with hyphens, in upper or lower case.
    case uuid
    /// A whole number within the range.
    case integer(ClosedRange<Int64>)

    /// Whether a JSON string with this content is a valid value.
    public func accepts(text: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .shortText(let maximumBytes):
            (1...maximumBytes).contains(text.count) && text.allSatisfy { (0x20...0x7E).contains($0) }
        case .locale: LanguageTag.isValid(text)
        case .uuid: UUID(strictBytes: text) != nil
        case .integer: false
        }
    }

    /// Whether a JSON string with this content is a valid value.
    public func accepts(text: String) -> Bool {
        var text = text
        return text.withUTF8 { accepts(text: UnsafeRawBufferPointer($0)) }
    }

    /// Whether this JSON number is a valid value.
    public func accepts(integer: Int64) -> Bool {
        if case .integer(let range) = self { range.contains(integer) } else { false }
    }
}

/// A name as a string and as bytes, so that comparing it with incoming bytes allocates nothing.
struct WireName: Sendable, Hashable {
    let text: String
    private let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard other.count == bytes.count else { return false }
        for index in 0..<other.count where other[index] != bytes[index] { return false }
        return true
    }
}

/// The syntax of a language tag (RFC 5646 section 2.1); the registry is not checked.
enum LanguageTag {
    /// The minimum that implementations must support, by RFC 5646 section 4.4.1.
    private static let maximumBytes = 35

    /// A first part of two to eight letters, then parts of one to eight letters and digits. Accepts `_`, which devices
    /// write, as well as the `-` of the RFC.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= maximumBytes else { return false }
        var partLength = 0
        var minimumLength = 2
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                partLength += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9") where minimumLength == 1:
                partLength += 1
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                guard (minimumLength...8).contains(partLength) else { return false }
                partLength = 0
                minimumLength = 1
            default: return false
            }
        }
        return (minimumLength...8).contains(partLength)
    }
}
