import SubGuardDomain
import Testing

@Suite struct EventRegistryTests {
    private static let device = ["app_version", "os_version", "platform", "locale"]

    @Test(arguments: [
        ("app_downloaded", device, true), ("first_subscription_added", device, true),
        ("five_subscriptions_reached", device, true), ("retention_d1", device, true),
        ("retention_d7", device, true), ("retention_d30", device, true), ("app_opened", device, false),
        ("subscription_added", device + ["catalogue_item_id"], false),
        ("subscription_removed", device + ["catalogue_item_id"], false),
        ("premium_conversion", device + ["price_tier", "days_since_first_launch"], true),
    ])
    func holdsTheContractsTable(_ name: String, _ properties: [String], _ countsOncePerUser: Bool) throws {
        let event = try #require(EventRegistry.definition(named: name))
        #expect(event.name == name)
        #expect(event.properties.map(\.name) == properties)
        #expect(event.countsOncePerUser == countsOncePerUser)
        for property in properties {
            #expect(Array(property.utf8).withUnsafeBytes { event.property(named: $0) }?.name == property)
            #expect(event.property(named: property)?.name == property)
        }
        #expect(Array(name.utf8).withUnsafeBytes { EventRegistry.definition(named: $0) } == event)
    }

    @Test func holdsNothingElse() {
        #expect(EventRegistry.events.count == 10)
        #expect(Set(EventRegistry.events.map(\.name)).count == 10)
        for name in [
            "", "App_Opened", "app_opened ", "app_open", "app_openedx", "subscription_edited", "$pageview",
            "app_opened\u{0}",
        ] {
            #expect(EventRegistry.definition(named: name) == nil)
            #expect(Array(name.utf8).withUnsafeBytes { EventRegistry.index(named: $0) } == nil)
        }
    }

    @Test func leavesNoRoomForMoneyOrNames() throws {
        let added = try #require(EventRegistry.definition(named: "subscription_added"))
        for name in [
            "amount", "price", "name", "note", "notes", "currency", "email", "price_tier", "days_since_first_launch",
            "",
        ] {
            #expect(added.property(named: name) == nil)
        }
        #expect(EventRegistry.definition(named: "app_opened")?.property(named: "catalogue_item_id") == nil)
    }

    @Test func checksRejectionsInTheContractsOrder() {
        #expect(
            EventRejection.allCases.map(\.rawValue) == [
                "invalid_event", "invalid_id", "unknown_event", "invalid_user_id", "invalid_timestamp",
                "timestamp_out_of_range", "property_not_allowed",
                "invalid_property",
            ])
        #expect(EventRejection.allCases.allSatisfy { $0.detail.hasSuffix(".") })
    }
}
