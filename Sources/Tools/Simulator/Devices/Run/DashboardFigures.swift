import JSONWire

/// Those figures of the dashboard that the devices can tell, too.
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

    /// Asks the server. Throws when it does not answer with them.
    static func read(
        _ target: LoadTarget, _ address: NetworkAddress, token: String, timeout: Duration
    ) throws(LoadError) -> DashboardFigures {
        let request =
            "GET /api/v1/admin/dashboard HTTP/1.1\r\nHost: \(target.authority)\r\nUser-Agent: subguardd-load\r\n"
            + "Authorization: Bearer \(token)\r\n\r\n"
        let answer = try SingleExchange.answer(to: Array(request.utf8), address, timeout: timeout)
        guard answer.status == 200 else {
            throw .unreadable("--token: the dashboard was answered with status \(answer.status)")
        }
        guard let figures = DashboardFigures(answer.body) else {
            throw .unreadable("--token: the dashboard's answer is not understood")
        }
        return figures
    }

    package init?(_ body: [UInt8]) {
        guard let object = (try? JSONValue.parse(body))?.objectValue else { return nil }
        func value(_ name: String) -> Int? {
            object[name]?.objectValue?["value"]?.integerValue.flatMap { Int(exactly: $0) }
        }
        guard let users = value("total_users"), let subscriptions = value("subscriptions_tracked"),
            let conversions = value("premium_conversions")
        else { return nil }
        self.init(users: users, subscriptions: subscriptions, conversions: conversions)
    }

    package static func - (left: DashboardFigures, right: DashboardFigures) -> DashboardFigures {
        DashboardFigures(
            users: left.users - right.users, subscriptions: left.subscriptions - right.subscriptions,
            conversions: left.conversions - right.conversions)
    }
}
