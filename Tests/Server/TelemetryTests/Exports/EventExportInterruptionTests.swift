import BackendTestKit
import EventLog
import Foundation
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Telemetry
import TestKit
import Testing

/// What happens to the log between two pieces of an export.
struct EventExportInterruptionTests {
    private let fixture: BackendFixture
    private let log: EventLog

    /// Four blocks that fill a piece each.
    private static let blockSize = 1_500

    init() throws {
        fixture = try BackendFixture(now: "2024-03-01T10:00:00Z")
        log = EventLog(context: fixture.context)
        for block in 0..<4 { try append(block) }
    }

    private func append(_ block: Int, count: Int = blockSize) throws {
        let first = block * Self.blockSize
        let events = try (first..<first + count).map {
            try event(UInt64($0), user: $0 % 50, at: "2024-02-29T00:00:00Z")
        }
        _ = try log.append([EventBatch(events, receivedAt: "2024-02-2\(block)T00:00:00Z")])
    }

    private static func ids(_ numbers: Range<Int>) -> [String] { numbers.map { makeID(UInt64($0)).lowercased } }

    @Test func takesBlocksOneAfterTheOther() throws {
        let pieces = try fixture.pieces()
        #expect(pieces.count == 4)
        #expect(try fixture.exported().ids == Self.ids(0..<6_000))
    }

    @Test func takesALargeBlockInParts() throws {
        _ = try log.append([
            EventBatch(try (10_000..<15_001).map { try event(UInt64($0), at: "2024-02-29T00:00:00Z") })
        ])
        let lines = try fixture.exported()
        #expect(lines.ids == Self.ids(0..<6_000) + Self.ids(10_000..<15_001))
        let pieces = try fixture.pieces()
        #expect(pieces.allSatisfy { $0.count { $0 == UInt8(ascii: "\n") } <= 2_000 })
        for index in [6_000, 7_999, 8_000, 11_000] {
            let rest = try fixture.exported(EventExportSelection(after: lines[index].position))
            #expect(rest.ids == Array(lines.ids.dropFirst(index + 1)))
        }
    }

    /// More blocks than a step looks at, most of them outside the range.
    @Test func passesManySmallBlocks() throws {
        for number in 20_000..<21_100 {
            let moment = number % 100 == 0 ? "2024-02-29T12:00:00Z" : "2024-02-28T12:00:00Z"
            _ = try log.append([EventBatch([event(UInt64(number), at: moment)])])
        }
        let selection = EventExportSelection(from: try instant("2024-02-29T12:00:00Z"))
        let expected = (200..<211).map { makeID(UInt64($0 * 100)).lowercased }
        #expect(try fixture.exported(selection).ids == expected)
        #expect(try fixture.exported().count == 7_100)
    }

    @Test func leavesOutWhatArrivesMeanwhile() throws {
        let lines = try fixture.exported { if $0 == 2 { try append(6) } }
        #expect(lines.ids == Self.ids(0..<6_000))
        let later = try fixture.exported(EventExportSelection(after: try #require(lines.last).position))
        #expect(later.ids == Self.ids(9_000..<10_500))
    }

    @Test func goesOnBehindWhatWasPurged() throws {
        let lines = try fixture.exported { piece in
            if piece == 1 { try log.purge(before: try instant("2024-02-22T12:00:00Z")) }
        }
        #expect(lines.ids == Self.ids(0..<1_500) + Self.ids(4_500..<6_000))
        // The events before a position were purged with it: nothing is repeated, nothing that is still there left out.
        let rest = try fixture.exported(EventExportSelection(after: lines[700].position))
        #expect(rest.ids == Self.ids(4_500..<6_000))
        try log.purge(before: try instant("2024-03-01T00:00:00Z"))
        #expect(try fixture.exported(EventExportSelection(after: lines[700].position)).isEmpty)
    }

    /// Joins blocks under the number of the first or the last of them, as upkeep may.
    private func join(_ blocks: ClosedRange<Int64>, into target: Int64) throws {
        try fixture.store.write { transaction in
            let names = try EventNames.load(in: transaction)
            var first: EventBlock?
            let rows = try transaction.query(
                "SELECT events FROM event_blocks WHERE id >= ? AND id <= ? ORDER BY id",
                [.integer(blocks.lowerBound), .integer(blocks.upperBound)]
            ) { try $0.blob(0) }
            for row in rows {
                try row.withUnsafeBytes { bytes in
                    let reader = try EventBlockReader(bytes)
                    guard var joined = first else {
                        first = try EventBlock(copying: reader) { _ in false }
                        return
                    }
                    var batch: Int?
                    try reader.forEach { event in
                        if batch != event.batch { joined.beginBatch(receivedAt: event.receivedAt) }
                        batch = event.batch
                        // Not `#require`, which would take longer than everything else for thousands of events.
                        guard let name = names.name(of: event.nameID),
                            let definition = EventRegistry.definition(named: name)
                        else { throw MalformedTestData() }
                        joined.append(
                            AnalyticsEvent(
                                id: event.id.uuid, definition: definition, userID: event.userID,
                                timestamp: event.occurredAt, properties: event.set.map(reader.properties(ofSet:))),
                            id: event.id, nameID: event.nameID)
                    }
                    first = joined
                }
            }
            let joined = try #require(first)
            try transaction.execute(
                "DELETE FROM event_blocks WHERE id >= ? AND id <= ?",
                [.integer(blocks.lowerBound), .integer(blocks.upperBound)])
            try transaction.execute(
                """
                INSERT INTO event_blocks (id, received_at, last_occurred_at, event_count, events)
                VALUES (?, ?, ?, ?, ?)
                """,
                [
                    .integer(target), .instant(joined.receivedAt), .instant(joined.lastOccurredAt),
                    .integer(Int64(joined.count)), .blob(joined.bytes),
                ])
        }
    }

    @Test(arguments: SeededRandom.isThorough ? [1...2, 2...3, 1...4, 3...4, 2...4] : [1...2, 2...4], [true, false])
    func goesOnInJoinedBlocks(_ blocks: ClosedRange<Int64>, _ intoFirst: Bool) throws {
        let before = try fixture.exported()
        let lines = try fixture.exported { piece in
            if piece == 2 { try join(blocks, into: intoFirst ? blocks.lowerBound : blocks.upperBound) }
        }
        #expect(lines.ids == Self.ids(0..<6_000))
        let places = [1_500, 4_499, 0, 1_499, 3_000, 4_500, 5_999]
        for index in SeededRandom.isThorough ? places : Array(places.prefix(2)) {
            let rest = try fixture.exported(EventExportSelection(after: before[index].position))
            #expect(rest.ids == Array(before.ids.dropFirst(index + 1)), "\(index)")
        }
    }

    /// Rewrites a block without some events.
    private func discard(from block: Int64, _ numbers: Range<Int>) throws {
        let gone = Set(numbers.map { makeID(UInt64($0)) })
        try fixture.store.write { transaction in
            let bytes = try #require(
                try transaction.first("SELECT events FROM event_blocks WHERE id = ?", [.integer(block)]) {
                    try $0.blob(0)
                })
            let rest = try bytes.withUnsafeBytes { bytes in
                try EventBlock(copying: try EventBlockReader(bytes)) { gone.contains($0.id.uuid) }
            }
            try transaction.execute(
                "UPDATE event_blocks SET events = ?, event_count = ? WHERE id = ?",
                [.blob(rest.bytes), .integer(Int64(rest.count)), .integer(block)])
        }
    }

    @Test func goesOnInABlockWithoutDiscardedEvents() throws {
        let before = try fixture.exported()
        let lines = try fixture.exported { piece in
            guard piece == 2 else { return }
            try discard(from: 2, 1_500..<2_000)
            try discard(from: 3, 3_000..<3_500)
        }
        // Those of the second block were already exported.
        #expect(lines.ids == Self.ids(0..<3_000) + Self.ids(3_500..<6_000))
        let rest = try fixture.exported(EventExportSelection(after: before[2_700].position))
        #expect(rest.ids == Self.ids(2_701..<3_000) + Self.ids(3_500..<6_000))
        // No one can say what followed an event that is gone.
        #expect(throws: BackendError.self) {
            try fixture.exported(EventExportSelection(after: before[1_600].position))
        }
    }

    /// A rewritten block keeps its number, but not those of its sets of properties.
    @Test func keepsThePropertiesOfABlockThatIsRewrittenBetweenItsParts() throws {
        func platform(_ number: Int) -> String { number == 10_000 ? "web" : number % 2 == 0 ? "ios" : "macos" }
        _ = try log.append([
            EventBatch(
                try (10_000..<15_000).map { number in
                    try event(
                        UInt64(number), at: "2024-02-29T00:00:00Z",
                        properties: #"{"platform":"\#(platform(number))"}"#)
                })
        ])
        let lines = try fixture.exported { piece in
            // Of six pieces, the fifth begins the large block.
            if piece == 5 { try discard(from: 5, 10_000..<10_001) }
        }.suffix(5_000)
        #expect(lines.count == 5_000)
        for (number, line) in zip(10_000..., lines) {
            #expect(line.properties["platform"]?.stringValue == platform(number))
        }
    }

    @Test func keepsAnErasedDeviceErased() throws {
        let old = Dictionary(try fixture.exported().map { ($0.id, $0.user) }) { first, _ in first }
        let erased = Set(stride(from: 7, to: 6_000, by: 50).map { makeID(UInt64($0)).lowercased })
        let before = try #require(erased.first.flatMap { old[$0] })
        try log.requestErasure(of: userHash(7))
        var isUnderWay = true
        var looks = 0
        while isUnderWay {
            isUnderWay = try log.takeErasureStep()
            let lines = try fixture.exported()
            let numbers = Set(lines.filter { erased.contains($0.id) }.map(\.user))
            #expect(numbers.count == 1 && !numbers.contains(before))
            #expect(Set(lines.map(\.user)).count == 50)
            for line in lines where !erased.contains(line.id) { #expect(line.user == old[line.id]) }
            looks += 1
        }
        #expect(looks > 1)
    }

    @Test(arguments: ["events = x'09'", "event_count = event_count + 1", "event_count = 1"])
    func stopsAtADamagedBlock(_ damage: String) throws {
        try fixture.execute("UPDATE event_blocks SET \(damage) WHERE id = 3")
        var export = try EventExport(EventExportSelection(), context: fixture.context)
        #expect(throws: EventBlockError.self) { while try export.nextPiece() != nil {} }
        #expect([1_500, 3_000].contains(export.eventCount))
    }
}
