import BackendTestKit
import EventLog
import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Telemetry
import TestKit
import Testing
import TextCoding

struct EventExportTests {
    private let fixture: BackendFixture
    private let log: EventLog

    init() throws {
        fixture = try BackendFixture(now: "2024-03-01T10:00:00Z")
        log = EventLog(context: fixture.context)
    }

    private func append(_ events: [AnalyticsEvent], receivedAt: String = "2024-03-01T09:59:59.250Z") throws {
        _ = try log.append([EventBatch(events, receivedAt: receivedAt)])
    }

    /// Texts that break a careless writer. The parser would refuse some of them; the log keeps whatever it is given.
    private static let texts = [
        "=HYPERLINK(\"https://example.com\",\"x\")", "+1", "-1", "@SUM(A1)", "'=1", "a,b;c\"d\"",
        " é 🦊\u{1F1EB}\u{1F1F7}",
        "line\nfeed\r\nand\ttab", "\u{2028}\u{0}", "null", "2024-02-29",
    ]

    private func fillAwkwardly() throws {
        for (number, text) in Self.texts.enumerated() {
            let properties = JSONValue.object(
                JSONObject([("app_version", .string(text)), ("days_since_first_launch", .integer(number * 3652))]))
            try append(
                [
                    event(
                        UInt64(number * 2), "premium_conversion", user: number, at: "2024-02-29T23:59:59.999Z",
                        properties: String(decoding: properties.serialized(), as: UTF8.self)),
                    event(UInt64(number * 2 + 1), user: 77, at: "2023-02-28T00:00:00Z"),
                ])
        }
        // Dated ahead by a fast clock, so not counted yet.
        try append([event(1_000, "app_downloaded", user: 78, at: "2024-03-02T09:00:00Z")])
    }

    @Test func writesEveryEventAsItIsInTheLog() throws {
        try fillAwkwardly()
        let (events, lines) = (try fixture.events(), try fixture.exported())
        #expect(lines.count == 23)
        #expect(lines.ids == events.map(\.id.lowercased))
        for (event, line) in zip(events, lines) {
            #expect(
                line.json.members.map(\.name) == [
                    "block", "id", "name", "user", "timestamp", "received_at", "properties",
                ])
            #expect(line.name == event.name)
            #expect(line.timestamp == event.occurredAt.rfc3339)
            #expect(line.receivedAt == event.receivedAt.rfc3339)
            #expect(try line.json["properties"] == JSONValue.parse(event.properties ?? Array("{}".utf8)))
        }
    }

    @Test func writesATableThatASpreadsheetDoesNotRun() throws {
        try fillAwkwardly()
        var selection = EventExportSelection(format: .csv)
        var reader = CSVReader(try fixture.pieces(selection).flatMap { $0 })
        let records = try reader.records().map(\.fields)
        let lines = try fixture.exported()
        #expect(
            records.first == [
                "block", "id", "name", "user", "timestamp", "received_at", "app_version", "os_version", "platform",
                "locale", "catalogue_item_id", "price_tier", "days_since_first_launch",
            ])
        try #require(records.count == lines.count + 1)
        for (cells, line) in zip(records.dropFirst(), lines) {
            #expect(
                cells[..<6] == [
                    "\(line.position.block)", line.id, line.name, "\(line.user)", line.timestamp, line.receivedAt,
                ])
            #expect(SpreadsheetText.unguarded(cells[6]) == line.properties["app_version"]?.stringValue ?? "")
            #expect(cells[12] == line.properties["days_since_first_launch"]?.integerValue.map { "\($0)" } ?? "")
            #expect(cells[7..<12].joined().isEmpty)
            #expect(cells[6].utf8.first.map { !"=+-@".utf8.contains($0) } ?? true, "\(cells[6])")
        }
        selection.limit = 1
        #expect(try fixture.pieces(selection).flatMap { $0 }.count { $0 == UInt8(ascii: "\n") } == 2)
        selection.after = try #require(lines.first).position
        selection.hasHeader = false
        #expect(try fixture.pieces(selection).flatMap { $0 }.starts(with: "\(lines[1].position.text),".utf8))
    }

    @Test func writesTheNamesOfTheColumnsOfAnEmptyLog() throws {
        #expect(try fixture.exported().isEmpty)
        #expect(try fixture.pieces(EventExportSelection(format: .csv)) == [EventExport.header(of: .csv)])
    }

    /// By the time of the event, to the millisecond, whenever it arrived.
    @Test func takesExactlyTheRange() throws {
        let moments = [
            "2024-02-28T23:59:59.999Z", "2024-02-29T00:00:00Z", "2024-02-29T23:59:59.999Z", "2024-03-01T00:00:00Z",
            "2024-03-02T09:59:59Z",
        ]
        for (number, moment) in moments.enumerated() { try append([event(UInt64(number), at: moment)]) }
        try append(try moments.enumerated().map { try event(UInt64($0.offset + 10), at: $0.element) })
        func ids(_ from: String?, _ before: String?) throws -> [Int] {
            let selection = EventExportSelection(from: try from.map(instant), before: try before.map(instant))
            let lines = try fixture.exported(selection)
            return try lines.map { line in
                try #require((0..<20).first { makeID(UInt64($0)).lowercased == line.id })
            }
        }
        #expect(try ids("2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z") == [1, 2, 11, 12])
        #expect(try ids("2024-02-29T00:00:00.001Z", nil) == [2, 3, 4, 12, 13, 14])
        #expect(try ids(nil, "2024-02-29T00:00:00Z") == [0, 10])
        #expect(try ids("2024-03-01T00:00:00.001Z", "2024-03-02T09:59:59Z") == [])
    }

    /// The same user has the same number, in each export and after a restart; in another database another one.
    @Test func givesEachUserANumberThatLeadsNowhere() throws {
        try append(try (0..<400).map { try event(UInt64($0), user: $0 % 40, at: "2024-02-29T00:00:00Z") })
        let lines = try fixture.exported()
        var numbers: [UserHash: Int64] = [:]
        for (event, line) in zip(try fixture.events(), lines) {
            #expect(numbers[event.userID] == nil || numbers[event.userID] == line.user)
            numbers[event.userID] = line.user
        }
        #expect(Set(numbers.values).count == 40)
        #expect(numbers.values.allSatisfy { (0..<1 << 53).contains($0) })
        // Half of them have the highest bit: all 53 are used.
        #expect(numbers.values.contains { $0 >= 1 << 52 })
        #expect(try fixture.reopened().exported().map(\.user) == lines.map(\.user))
        let other = try BackendFixture(now: "2024-03-01T10:00:00Z")
        // On PostgreSQL all databases of the tests are copies of one.
        try other.execute("UPDATE event_log SET id_seed = x'000102030405060708090A0B0C0D0E0F'")
        _ = try EventLog(context: other.context).append([
            EventBatch([event(1, user: 1, at: "2024-02-29T00:00:00Z")])
        ])
        #expect(try other.exported().first?.user != numbers[userHash(1)])
    }

    @Test func continuesAfterAnyLine() throws {
        try fillAwkwardly()
        try append(try (0..<30).map { try event(UInt64(2_000 + $0), user: $0, at: "2024-02-29T00:00:00Z") })
        let all = try fixture.exported()
        for (index, line) in all.enumerated() {
            let rest = try fixture.exported(EventExportSelection(after: line.position))
            #expect(rest.ids == all.ids.suffix(from: index + 1).map(\.self))
            let next = try fixture.exported(EventExportSelection(after: line.position, limit: 7))
            #expect(next.ids == Array(rest.ids.prefix(7)))
        }
        // Of a selection, too.
        let leapDay = try EventExportSelection(
            from: instant("2024-02-29T00:00:00Z"), before: instant("2024-03-01T00:00:00Z"))
        let selected = try fixture.exported(leapDay)
        for (index, line) in selected.enumerated() {
            var rest = leapDay
            rest.after = line.position
            #expect(try fixture.exported(rest).ids == Array(selected.ids.dropFirst(index + 1)))
        }
    }

    @Test(arguments: ["1,00000000-0000-7000-8000-00000000abcd", "99,00000000-0000-7000-8000-00000000abcd"])
    func namesAnEventThatIsNotThere(_ text: String) throws {
        try append([event(1, at: "2024-02-29T00:00:00Z")])
        let position = try #require(EventPosition(text: text))
        let selection = EventExportSelection(after: position)
        let error = #expect(throws: BackendError.self) { try EventExport(selection, context: fixture.context) }
        guard case .invalid(let faults) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(faults.map(\.pointer) == ["after"] && faults.map(\.code) == [.invalidCursor])
    }

    @Test(arguments: [
        "", "1", "1,", ",1", "0,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", "-1,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
        "1,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b,", "1,01934f0e7c2a7d3e9b1a5c6d7e8f9a0b",
        "99999999999999999999,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", "é,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
        "1 ,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
    ])
    func readsOnlyPositionsThatItWrites(_ text: String) { #expect(EventPosition(text: text) == nil) }

    @Test func isRecordedBeforeItBegins() throws {
        try append([event(1, at: "2024-02-29T00:00:00Z")])
        let position = EventPosition(block: 1, id: makeID(1))
        _ = try EventExport.begin(
            EventExportSelection(
                format: .csv, from: try instant("2024-02-29T00:00:00Z"), after: position, limit: 5),
            by: .editor, context: fixture.context)
        let entry = try #require(try AuditLog(context: fixture.context).list(after: nil, limit: 1).first)
        #expect(entry.change.action == "events.export" && entry.change.actor.name == Actor.editor.name)
        #expect(
            entry.change.after
                == #"{"format":"csv","from":"2024-02-29T00:00:00Z","to":null,"after":"\#(position.text)","limit":5}"#)
    }
}
