import EventLog
import SubGuardDomain
import Telemetry

/// The dashboard computed the plain way, from nothing but the list of counted events, each id once.
struct ReferenceDashboard {
    let totalUsers: String
    let activeUsers: String
    let subscriptions: String
    let conversions: String

    init(events: [AnalyticsEvent], now: UTCInstant) {
        func isIn(_ instant: UTCInstant, from: Int, to: Int) -> Bool {
            instant > now.adding(days: from) && instant <= now.adding(days: to)
        }
        func line(_ value: Int, _ count: (Int, Int) -> Int) -> String {
            let (this, last) = (count(-7, 0), count(-14, -7))
            let trend = FigureNumber.percent(Int64(this - last), of: Int64(last))?.text ?? "-"
            return "\(value) \(this) \(last) \(trend)"
        }
        let byUser = Dictionary(grouping: events, by: \.userID).values
        let signups = byUser.compactMap { events in
            events.filter { $0.definition.name == "app_downloaded" }.map(\.timestamp).min()
                ?? events.map(\.timestamp).min()
        }
        // After the clock was set back, what had been counted is ahead of it.
        let seen = byUser.count { events in events.contains { $0.timestamp <= now } }
        totalUsers = line(seen) { from, to in signups.filter { isIn($0, from: from, to: to) }.count }

        func active(_ from: Int, _ to: Int) -> Int {
            Set(events.filter { isIn($0.timestamp, from: from, to: to) }.map(\.userID)).count
        }
        activeUsers = line(active(-30, 0), active)

        func net(_ events: [AnalyticsEvent]) -> Int {
            events.filter { $0.definition.name == "subscription_added" }.count
                - events.filter { $0.definition.name == "subscription_removed" }.count
        }
        subscriptions = line(net(events.filter { $0.timestamp <= now })) { from, to in
            net(events.filter { isIn($0.timestamp, from: from, to: to) })
        }

        let first = byUser.compactMap { events in
            events.filter { $0.definition.name == "premium_conversion" }.map(\.timestamp).min()
        }
        conversions = line(first.count { $0 <= now }) { from, to in first.filter { isIn($0, from: from, to: to) }.count
        }
    }
}
