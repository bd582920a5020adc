import EventLog
import JSONWire
import SubGuardDomain
import Telemetry
import TestKit

/// Funnel and cohorts computed the simple way, from the list of events only, each id once.
struct ReferenceCohorts {
    struct User {
        var signup: UTCInstant
        /// The first moment of each event.
        var marks: [String: UTCInstant]
        var platform: String
        var version: String
    }

    let users: [User]
    private let zone: ReferenceZone

    /// - Parameter versions: in the order in which they arrived.
    init(events: [AnalyticsEvent], versions: [String] = [], zone: ReferenceZone = .utc) {
        self.zone = zone
        users = Dictionary(grouping: events, by: \.userID).values.compactMap { events in
            let marks = Dictionary(grouping: events, by: \.definition.name).mapValues { $0.map(\.timestamp).min() }
                .compactMapValues(\.self)
            guard let first = marks.values.min() else { return nil }
            // Of several first events the one named first here counts.
            let earliest = events.filter { $0.timestamp == first }
            let names = earliest.map { Self.name($0, "platform").map { $0.lowercased() } }
            return User(
                signup: marks["app_downloaded"] ?? first, marks: marks,
                platform: Self.best(names, of: ["ios", "ipados", "android"]),
                version: Self.best(earliest.map { Self.name($0, "app_version") }, of: versions))
        }
    }

    private static func name(_ event: AnalyticsEvent, _ property: String) -> String? {
        (try? JSONValue.parse(event.properties ?? []))?[property]?.stringValue
    }

    private static func best(_ names: [String?], of known: [String]) -> String {
        known.first(where: names.contains) ?? (names.allSatisfy { $0 == nil } ? "unknown" : "other")
    }

    private static let stages = [
        ("downloads", "app_downloaded"), ("first_subscription", "first_subscription_added"),
        ("five_subscriptions", "five_subscriptions_reached"), ("retention_d7", "retention_d7"),
        ("retention_d30", "retention_d30"),
    ]

    private func signedUp(from: CalendarDay?, to: CalendarDay?) -> [User] {
        users.filter { user in
            let day = zone.day(of: user.signup)
            return (from.map { day >= $0 } ?? true) && (to.map { day <= $0 } ?? true)
        }
    }

    /// `name count of-previous of-first` for each stage.
    func funnel(from: CalendarDay?, to: CalendarDay?) -> [String] {
        stages(signedUp(from: from, to: to), within: nil)
    }

    private func stages(_ users: [User], within days: Int?) -> [String] {
        let counts = Self.stages.map { stage in
            users.count { user in
                guard let mark = user.marks[stage.1] else { return false }
                return days.map { mark <= user.signup.adding(days: $0) } ?? true
            }
        }
        return counts.indices.map { index in
            let previous = index == 0 ? "-" : percent(counts[index], of: counts[index - 1])
            return "\(Self.stages[index].0) \(counts[index]) \(previous) \(percent(counts[index], of: counts[0]))"
        }
    }

    /// A line for all users, for those whose windows have not ended, and for each segment.
    func funnel(
        from: CalendarDay?, to: CalendarDay?, within days: Int?, by dimension: FunnelDimension?, at now: UTCInstant
    ) -> [String] {
        func parts(_ users: [User]) -> [(count: Int, text: String)] {
            let parts = days.map { days -> [[User]] in
                // Those of a day, once the last of them could have reached the stage.
                let last = zone.day(of: now.adding(days: -days))
                return [
                    users.filter { zone.day(of: $0.signup) < last }, users.filter { zone.day(of: $0.signup) >= last },
                ]
            }
            return (parts ?? [users]).map { users in
                (users.count, "\(users.count): \(stages(users, within: days).joined(separator: ", "))")
            }
        }
        let users = signedUp(from: from, to: to)
        var lines = parts(users).map(\.text)
        guard let dimension else { return lines }
        let segments = Dictionary(grouping: users) { dimension == .platform ? $0.platform : $0.version }
        lines += segments.map { ($0.key, parts($0.value)) }
            .sorted { ($1.1[0].count, $0.0) < ($0.1[0].count, $1.0) }
            .flatMap { name, parts in parts.map { "\(name) \($0.text)" } }
        return lines
    }

    /// `name users d1 d7 d30` for each week or month, each day as `count/eligible=percent` or a dash.
    func cohorts(at now: UTCInstant, by step: CohortStep = .week) -> [String] {
        let name: (User) -> String = { user in
            let day = zone.day(of: user.signup)
            return step == .week ? day.isoWeek.text : String(day.iso.prefix(7))
        }
        return Dictionary(grouping: users, by: name).sorted { $0.key < $1.key }.map { name, users in
            let cells = [1, 7, 30].map { day in
                let eligible = users.filter { $0.signup.adding(days: day) <= now }
                let count = eligible.count { $0.marks["retention_d\(day)"] != nil }
                return eligible.isEmpty ? "-" : "\(count)/\(eligible.count)=\(percent(count, of: eligible.count))"
            }
            return "\(name) \(users.count) \(cells.joined(separator: " "))"
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

extension Funnel {
    /// As ``ReferenceCohorts`` writes them.
    var lines: [String] {
        func text(_ part: Part) -> String { "\(part.users): \(Self.texts(part.stages).joined(separator: ", "))" }
        let whole = [text(all)] + (unfinished.map { [text($0)] } ?? [])
        return whole
            + (segments ?? []).flatMap { segment in
                [segment.all, segment.unfinished].compactMap(\.self).map { "\(segment.name) \(text($0))" }
            }
    }

    static func texts(_ stages: [Stage]) -> [String] {
        stages.map { stage in
            let shares = [stage.percentOfPrevious, stage.percentOfFirst].map { $0?.text ?? "-" }
            return "\(stage.name.rawValue) \(stage.count) \(shares.joined(separator: " "))"
        }
    }
}
