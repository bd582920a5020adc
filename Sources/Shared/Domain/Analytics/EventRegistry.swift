/// The one table of what may be reported. Ingest, the OpenAPI document, the privacy page and the device's queue read
/// it; what is not in it is refused.
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

    /// The event of that name, or nil; nothing is allocated.
    public static func definition(named name: UnsafeRawBufferPointer) -> EventDefinition? {
        index(named: name).map { events[$0] }
    }

    public static func definition(named name: String) -> EventDefinition? {
        var name = name
        return name.withUTF8 { definition(named: UnsafeRawBufferPointer($0)) }
    }

    /// Where in `events` the event of that name stands. The position may change from release to release.
    public static func index(named name: UnsafeRawBufferPointer) -> Int? {
        for index in events.indices where events[index].wireName.equals(name) { return index }
        return nil
    }

    /// Whether some event allows a property of that name; nothing is allocated.
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
