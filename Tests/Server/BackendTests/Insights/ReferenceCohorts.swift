import Backend
import EventLog
import SubGuardDomain

/// Funnel and cohorts computed the simple way, from the list of events only, each id once.
struct ReferenceCohorts {
    struct User {
        var signup: UTCInstant
        var marks: Set<String>
    }

    let users: [User]

    init(events: [AnalyticsEvent]) {
        users = Dictionary(grouping: events, by: \.userID).values.compactMap { events in
            let download = events.filter { $0.definition.name == "app_downloaded" }.map(\.timestamp).min()
            guard let signup = download ?? events.map(\.timestamp).min() else { return nil }
            return User(signup: signup, marks: Set(events.map(\.definition.name)))
        }
    }

    /// `name count of-previous of-first` for each stage.
    func funnel(from: CalendarDay?, to: CalendarDay?) -> [String] {
        let inRange = users.filter { user in
            (from.map { user.signup.day >= $0 } ?? true) && (to.map { user.signup.day <= $0 } ?? true)
        }
        let stages = [
            ("downloads", "app_downloaded"), ("first_subscription", "first_subscription_added"),
            ("five_subscriptions", "five_subscriptions_reached"), ("retention_d7", "retention_d7"),
            ("retention_d30", "retention_d30"),
        ]
        let counts = stages.map { stage in inRange.count { $0.marks.contains(stage.1) } }
        return stages.indices.map { index in
            let previous = index == 0 ? "-" : percent(counts[index], of: counts[index - 1])
            return "\(stages[index].0) \(counts[index]) \(previous) \(percent(counts[index], of: counts[0]))"
        }
    }

    /// `week users d1 d7 d30` for each week, each day as `count/eligible=percent` or a dash.
    func cohorts(at now: UTCInstant) -> [String] {
        Dictionary(grouping: users) { $0.signup.day.isoWeek }.sorted { $0.key < $1.key }.map { week, users in
            let cells = [1, 7, 30].map { day in
                let eligible = users.filter { $0.signup.adding(days: day) <= now }
                let count = eligible.count { $0.marks.contains("retention_d\(day)") }
                return eligible.isEmpty ? "-" : "\(count)/\(eligible.count)=\(percent(count, of: eligible.count))"
            }
            return "\(week.text) \(users.count) \(cells.joined(separator: " "))"
        }
    }

    private func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "-" }
        // Rounds half to even with integers.
        let (tenths, rest) = (part * 1000).quotientAndRemainder(dividingBy: whole)
        let rounded = rest * 2 > whole || (rest * 2 == whole && tenths % 2 == 1) ? tenths + 1 : tenths
        return "\(rounded / 10).\(rounded % 10)"
    }
}
