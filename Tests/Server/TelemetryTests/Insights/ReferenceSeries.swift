import EventLog
import SubGuardDomain
import Telemetry

/// The series computed day by day, from nothing but the list of counted events, each id once.
struct ReferenceSeries {
    private struct User {
        let signupOn: CalendarDay
        let convertedOn: CalendarDay?
        let names: Set<String>
        let days: Set<CalendarDay>
    }

    private let users: [User]
    private let events: [AnalyticsEvent]
    private let today: CalendarDay
    private let zone: ReferenceZone

    init(events: [AnalyticsEvent], now: UTCInstant, zone: ReferenceZone = .utc) {
        self.events = events
        self.zone = zone
        today = zone.day(of: now)
        users = Dictionary(grouping: events, by: \.userID).values.compactMap { events in
            func first(_ name: String) -> UTCInstant? {
                events.filter { $0.definition.name == name }.map(\.timestamp).min()
            }
            guard let earliest = events.map(\.timestamp).min() else { return nil }
            return User(
                signupOn: zone.day(of: first("app_downloaded") ?? earliest),
                convertedOn: first("premium_conversion").map(zone.day),
                names: Set(events.map(\.definition.name)), days: Set(events.map { zone.day(of: $0.timestamp) }))
        }
    }

    /// `2026-11-16 3` for each period, followed by `…` when it has not ended.
    func points(_ figure: String, from: CalendarDay, to: CalendarDay, step: SeriesStep) -> [String] {
        var (first, last) = (from, to)
        while name(of: first.adding(days: -1), step) == name(of: from, step) { first = first.adding(days: -1) }
        while name(of: last.adding(days: 1), step) == name(of: to, step) { last = last.adding(days: 1) }
        var periods: [[CalendarDay]] = []
        var day = first
        while day <= last {
            if let previous = periods.last?.first, name(of: previous, step) == name(of: day, step) {
                periods[periods.count - 1].append(day)
            } else {
                periods.append([day])
            }
            day = day.adding(days: 1)
        }
        return periods.map { days in
            let begun = days.filter { $0 <= today }
            let value = begun.last.map { end in
                figure == "total_users"
                    ? users.count { $0.signupOn <= end }
                    : figure.hasPrefix("active_")
                        ? active(Int(figure.dropFirst(7).dropLast()) ?? 0, endingOn: end)
                        : begun.reduce(0) { $0 + count(figure, on: $1) }
            }
            let isUnfinished = begun.count < days.count || days.last == today
            return "\(days[0].iso) \(value.map(String.init) ?? "-")\(isUnfinished ? " …" : "")"
        }
    }

    private func name(of day: CalendarDay, _ step: SeriesStep) -> String {
        switch step {
        case .day: day.iso
        case .week: day.isoWeek.text
        case .month: "\(day.year) \(day.month)"
        }
    }

    private func active(_ length: Int, endingOn end: CalendarDay) -> Int {
        users.count { user in user.days.contains { $0 <= end && $0 > end.adding(days: -length) } }
    }

    private func count(_ figure: String, on day: CalendarDay) -> Int {
        func signups(_ name: String) -> Int { users.count { $0.signupOn == day && $0.names.contains(name) } }
        func events(_ name: String) -> Int {
            self.events.count { $0.definition.name == name && zone.day(of: $0.timestamp) == day }
        }
        return switch figure {
        case "users": users.count { $0.signupOn == day }
        case "downloads": signups("app_downloaded")
        case "first_subscription": signups("first_subscription_added")
        case "five_subscriptions": signups("five_subscriptions_reached")
        case "conversions": users.count { $0.convertedOn == day }
        case "subscriptions_added": events("subscription_added")
        case "subscriptions_removed": events("subscription_removed")
        default: events(String(figure.dropFirst("events.".count)))
        }
    }
}

extension Series {
    /// As ``ReferenceSeries`` writes them.
    var texts: [String] {
        points.map { "\($0.on.iso) \($0.value?.text ?? "-")\($0.isUnfinished ? " …" : "")" }
    }
}
