package import JSONWire

/// Those figures of the dashboard that can be derived from the devices.
package struct DashboardFigures: Sendable, Equatable {
    package var users: Int
    package var subscriptions: Int
    package var conversions: Int

    package init(users: Int, subscriptions: Int, conversions: Int) {
        self.users = users
        self.subscriptions = subscriptions
        self.conversions = conversions
    }

    package init(_ account: DeviceAccount) {
        self.init(users: account.users, subscriptions: account.subscriptions, conversions: account.conversions)
    }

    /// Reads the dashboard's response.
    package init(_ dashboard: JSONObject) throws(LoadError) {
        func value(_ name: String) throws(LoadError) -> Int {
            guard let value = dashboard[name]?.objectValue?["value"]?.integerValue.flatMap({ Int(exactly: $0) }) else {
                throw .unreadable("--token: the dashboard has no figure \(name)")
            }
            return value
        }
        self.init(
            users: try value("total_users"), subscriptions: try value("subscriptions_tracked"),
            conversions: try value("premium_conversions"))
    }

    package static func - (left: DashboardFigures, right: DashboardFigures) -> DashboardFigures {
        DashboardFigures(
            users: left.users - right.users, subscriptions: left.subscriptions - right.subscriptions,
            conversions: left.conversions - right.conversions)
    }
}
