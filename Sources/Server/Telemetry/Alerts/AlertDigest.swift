import JSONWire
import SQLDatabase
import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// The weekly digest: the figures of the dashboard, and the rules that fire.
package struct AlertDigest: Sendable, Hashable {
    /// One figure; the texts are decimal numbers, nil where the figure is undefined.
    package struct Line: Sendable, Hashable {
        package let name: String
        package let value: String?
        package let thisWeek: String?
        package let lastWeek: String?
    }

    private static let namesInASentence = 10

    /// The Monday on which it is sent.
    package let weekOn: CalendarDay
    /// The time zone in which that day begins.
    package let zone: String
    package let lines: [Line]
    /// Names of the rules that fire.
    package let firing: [String]

    init(weekOn: CalendarDay, _ dashboard: Dashboard, firing: [String]) {
        self.weekOn = weekOn
        self.firing = firing
        zone = dashboard.standing.calendar.zoneName
        lines = Dashboard.Name.allCases.map { name in
            let figure = dashboard[name]
            return Line(
                name: name.rawValue, value: figure.value?.text, thisWeek: figure.thisWeek?.text,
                lastWeek: figure.lastWeek?.text)
        }
    }

    // MARK: In the database

    /// Nil for a text that ``json`` has not written.
    init?(json text: String) {
        guard let json = try? JSONValue.parse(Array(text.utf8)), let object = json.objectValue,
            let weekOn = object["week_on"]?.stringValue.flatMap({ CalendarDay(iso: $0) }),
            let figures = object["figures"]?.arrayValue, let firing = object["firing"]?.arrayValue
        else { return nil }
        self.weekOn = weekOn
        zone = object["zone"]?.stringValue ?? "UTC"
        self.firing = firing.compactMap(\.stringValue)
        lines = figures.compactMap { figure in
            guard let figure = figure.objectValue, let name = figure["name"]?.stringValue else { return nil }
            func number(_ member: String) -> String? {
                guard case .number(let text)? = figure[member] else { return nil }
                return text
            }
            return Line(
                name: name, value: number("value"), thisWeek: number("this_week"), lastWeek: number("last_week"))
        }
    }

    var json: String {
        JSONWriter.text { write(to: &$0) }
    }

    /// Writes the members, also of the webhook's message.
    func write(to writer: inout JSONWriter) {
        func number(_ text: String?) -> JSONValue { text.map(JSONValue.number) ?? .null }
        writer.field("week_on", weekOn.iso)
        writer.field("zone", zone)
        writer.array("figures", lines) { writer, line in
            writer.field("name", line.name)
            writer.field("value", number(line.value))
            writer.field("this_week", number(line.thisWeek))
            writer.field("last_week", number(line.lastWeek))
        }
        writer.field("firing", JSONValue.array(firing.map(JSONValue.string)))
    }

    // MARK: In words

    var title: String { "SubGuard: week of \(weekOn.iso)" + (zone == "UTC" ? "" : " (\(zone))") }

    /// Such as: total users 1200 (this week 56, last week 40); …; firing: none.
    func sentence(at instant: UTCInstant) -> String {
        let figures = lines.map { line in
            let percent = line.name == Dashboard.Name.crashFreeSessions.rawValue ? " %" : ""
            func text(_ number: String?) -> String { number.map { $0 + percent } ?? "none" }
            return "\(line.name.replacing("_", with: " ")) \(text(line.value)) (this week \(text(line.thisWeek)), "
                + "last week \(text(line.lastWeek)))"
        }
        // Slack takes 3,000 characters.
        let omitted = firing.count - Self.namesInASentence
        let names = firing.prefix(Self.namesInASentence).joined(separator: ", ")
        let rules = firing.isEmpty ? "none" : names + (omitted > 0 ? " and \(omitted) more" : "")
        let parts = (figures + ["rules that fire: \(rules)"]).joined(separator: "; ")
        return "The last 7 x 24 h up to \(instant.rfc3339): \(parts)."
    }
}

/// Puts a digest in the outbox on Mondays, from 08:00 on in the zone of the figures. The last week sent is in the
/// database, so that restarts and several servers send one.
package struct AlertDigester: Sendable {
    private let alerts: AlertStore
    private let insights: InsightStore

    package init(alerts: AlertStore, insights: InsightStore) {
        self.alerts = alerts
        self.insights = insights
    }

    private static let secondsIntoMonday: Int64 = 8 * 3600

    /// Returns whether a digest was put in the outbox. The first one is due a Monday after the first call. While
    /// figures are not complete, it is left for the next call.
    @discardableResult
    package func runIfDue() throws -> Bool {
        let now = alerts.context.now()
        let calendar = try alerts.context.store.read { try ReportCalendar.load(in: $0) }
        let monday = calendar.day(of: now).startOfISOWeek
        guard let sent = try alerts.context.store.read(Self.sentWeek) else {
            try alerts.context.store.write { transaction in
                _ = try transaction.execute(
                    "UPDATE alert_digests SET sent_week_on = ? WHERE id = 1 AND sent_week_on IS NULL", [.day(monday)])
            }
            return false
        }
        // Eight hours after the week begins.
        guard sent < monday,
            calendar.start(of: Int64(monday.daysSinceEpoch)).adding(seconds: Self.secondsIntoMonday) <= now
        else {
            return false
        }
        let dashboard = try insights.dashboard()
        guard dashboard.standing.isComplete else { return false }
        return try alerts.context.store.write { transaction in
            let changed = try transaction.execute(
                "UPDATE alert_digests SET sent_week_on = ? WHERE id = 1 AND sent_week_on < ?",
                [.day(monday), .day(monday)])
            guard changed == 1 else { return false }
            let firing = try AlertStore.rules(transaction).rules.filter { $0.current.state == .firing }
            let digest = AlertDigest(weekOn: monday, dashboard, firing: firing.map(\.draft.name))
            try alerts.enqueue(.digest(digest), at: now, in: transaction)
            return true
        }
    }

    private static func sentWeek(_ session: any SQLSession) throws -> CalendarDay? {
        try session.first("SELECT sent_week_on FROM alert_digests WHERE id = 1") { try $0.optionalDay(0) } ?? nil
    }
}
