import Foundation

/// Many clients that send as much as the limits allow.
struct Attack {
    /// The result for one kind of traffic.
    struct Row {
        let name: String
        let unit: String
        let sent: Int64
        let bytes: Int64
        /// The amount that the limits allow in an hour.
        let inAnHour: Int64
        var bytesInAnHour: Int64 { Int64(Double(bytes) * Double(inAnHour) / Double(max(sent, 1))) }
    }

    let server: AttackedServer
    var honest = HonestDevices()
    private var text = TrafficText()

    init(server: AttackedServer) { self.server = server }

    /// More addresses than are needed to use up each total.
    private let addresses = (0..<40).map { "203.0.113.\($0)" }

    // The defaults of the settings and of Allowance, for all clients per minute or hour.
    private static let minutes: Int64 = 61
    private static let eventUnits: Int64 = 75_000
    private static let newUsers: Int64 = 150_000
    private static let suggestedNames: Int64 = 50_000
    private static let reportedItems: Int64 = 150_000
    private static let erasures: Int64 = 20_000
    // The limits on stored crashes.
    private static let samples: Int64 = 1000 * 5

    mutating func run() throws -> [Row] {
        var rows = [try users()]
        // Of the kinds of events, the largest: an hour's allowance can only be used once.
        let kinds = try [
            events("bare events", .bare), events("events with long properties", .long), events("additions", .item),
        ]
        if let worst = kinds.max(by: { $0.bytesInAnHour < $1.bytesInAnHour }) { rows.append(worst) }
        rows.append(try suggestions())
        rows.append(try crashes())
        rows.append(try sessions())
        rows.append(try erasures())
        return rows
    }

    /// Sends until every client is rejected; returns the accepted amount, in the unit of `count`.
    private mutating func exhaust(
        _ target: String, accepted status: Int = 202, most: Int64 = .max, _ body: (inout TrafficText) -> (String, Int64)
    ) throws -> Int64 {
        var sent: Int64 = 0
        for address in addresses {
            while sent < most {
                let (body, count) = body(&text)
                let answer = try server.post(target, body, from: address)
                if answer == 429 { break }
                guard answer == status else {
                    throw Failure(description: "\(target) answers \(answer): \(server.answer.prefix(400))")
                }
                sent += count
            }
            try honest.report(to: server)
        }
        return sent
    }

    private func row(_ name: String, _ unit: String, inAnHour: Int64, sent: Int64, from before: Int64) throws -> Row {
        guard sent > 0 else { throw Failure(description: "\(name): nothing was accepted") }
        return Row(name: name, unit: unit, sent: sent, bytes: try server.size() - before, inAnHour: inAnHour)
    }

    /// An hour's allowance comes from the bucket, and another one during the hour; a minute of events allows half.
    private mutating func users() throws -> Row {
        let before = try server.size()
        var sent: Int64 = 0
        for _ in 0..<4 {
            sent += try exhaust("/api/v1/analytics") { $0.newUsers() }
            server.advance(seconds: 60)
        }
        guard sent < Self.newUsers * 2 else { throw Failure(description: "\(sent) new users were accepted") }
        return try row("new users", "users", inAnHour: 2 * Self.newUsers, sent: sent, from: before)
    }

    private mutating func events(_ name: String, _ kind: TrafficText.Kind) throws -> Row {
        server.advance(seconds: 60)
        let before = try server.size()
        let sent = try exhaust("/api/v1/analytics") { $0.events(kind) }
        // All but the reserve of a minute's units was accepted, whatever the estimate was.
        return try row(
            name, "events", inAnHour: sent * Self.minutes * 5 / 4, sent: sent, from: before)
    }

    private mutating func suggestions() throws -> Row {
        let before = try server.size()
        let sent = try exhaust("/api/v1/suggestions") { $0.suggestions() }
        return try row(
            "suggested names", "names", inAnHour: 2 * Self.suggestedNames, sent: sent, from: before)
    }

    /// The largest samples, of faults that each have their own group: bounded by the limits of stored crashes.
    private mutating func crashes() throws -> Row {
        let before = try server.size()
        let sent = try exhaust("/api/v1/crashes", most: 500) { $0.crashes() }
        return try row("crash samples", "reports", inAnHour: Self.samples, sent: sent, from: before)
    }

    private mutating func sessions() throws -> Row {
        let before = try server.size()
        let sent = try exhaust("/api/v1/crashes", most: 20_000) { $0.sessions() }
        return try row("session counts", "counts", inAnHour: 2 * Self.reportedItems, sent: sent, from: before)
    }

    private mutating func erasures() throws -> Row {
        let before = try server.size()
        let sent = try exhaust("/api/v1/analytics/erasure", most: 2_000) { $0.erasure() }
        return try row("erasure requests", "requests", inAnHour: 2 * Self.erasures, sent: sent, from: before)
    }
}
