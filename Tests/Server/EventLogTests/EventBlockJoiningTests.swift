import BackendTestKit
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

struct EventBlockJoiningTests {
    private let fixture: BackendFixture
    private let log: EventLog

    init() throws {
        fixture = try BackendFixture()
        log = EventLog(context: fixture.context)
    }

    private func append(_ events: [AnalyticsEvent], signer: String? = nil, to log: EventLog? = nil) throws {
        var batch = EventBatch(events: events, rejected: [], receivedAt: fixture.now, byteCount: 0)
        batch.signer = signer
        let receipt = try (log ?? self.log).append([batch]).first
        #expect(receipt?.accepted == events.count)
    }

    /// A block of one event a minute.
    private func appendSingles(_ numbers: ClosedRange<UInt64>) throws {
        for number in numbers {
            fixture.now = fixture.now.adding(seconds: 60)
            try append([try event(number, "app_opened", user: Int(number % 9), at: fixture.now)])
        }
    }

    private func joinAll(_ log: EventLog? = nil) throws { while try (log ?? self.log).joinStep() {} }

    private func blockCount() throws -> Int64 { try fixture.count("SELECT count(*) FROM event_blocks") }

    private func expectClean(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(
            try FigureVerifier(context: fixture.context).verify().differences == [], sourceLocation: sourceLocation)
    }

    private static let selections: [@Sendable (inout DiscardSelection) -> Void] = [
        { _ in }, { $0.isUnsignedOnly = true }, { $0.isOfOneBatchOnly = true }, { $0.isFirstSeenInWindowOnly = true },
        { $0.platforms = ["ios"] },
        {
            $0.receivedFrom = $0.receivedFrom.adding(seconds: 40_000)
            $0.isOfOneBatchOnly = true
        },
    ]

    private static let properties = [
        nil, #"{"platform":"ios"}"#, #"{"app_version":"1.2","platform":"android"}"#,
        #"{"catalogue_item_id":"0198a0c2-0000-7000-8000-000000000001"}"#,
    ]

    /// Events, their order, batches, times of receipt and signatures stay, and no figure changes at any moment,
    /// whichever process takes a step.
    @Test func joinedBlocksHoldTheSameEvents() throws {
        var random = SeededRandom(seed: 4)
        let start = fixture.now
        let other = try fixture.reopened()
        let logs = [log, EventLog(context: other.context)]
        var sent: [AnalyticsEvent] = []
        for round in 0..<300 {
            // Several in a row are received at the same moment.
            fixture.now = fixture.now.adding(seconds: Int64.random(in: 0...1, using: &random) * 240)
            let events = try (0..<Int.random(in: 1...3, using: &random)).map { index in
                let name = try #require(["app_opened", "subscription_added"].randomElement(using: &random))
                // A few are dated ahead.
                let ahead = round.isMultiple(of: 40) ? 23 * 3600 : -Int64.random(in: 0..<3600, using: &random)
                return try event(
                    UInt64(round * 10 + index), name, user: Int.random(in: 0..<150, using: &random),
                    at: fixture.now.adding(seconds: ahead),
                    properties: Self.properties.randomElement(using: &random) ?? nil)
            }
            sent += events
            let signer = Bool.random(using: &random) ? "key-\(Int.random(in: 1...2, using: &random))" : nil
            try append(events, signer: signer, to: round < 250 ? logs[0] : logs.randomElement(using: &random))
            other.now = fixture.now
            if round == 100 { _ = try RankingStore(context: fixture.context, log: log).refreshIfDue() }
        }
        let discarder = EventDiscarder(log: log)
        func previews() throws -> [DiscardPreview] {
            try Self.selections.map { change in
                var selection = DiscardSelection(receivedFrom: start, receivedBefore: fixture.now.adding(days: 1))
                change(&selection)
                return try discarder.preview(selection)
            }
        }
        try log.settle()
        let (events, before, blocks) = (try fixture.events(), try previews(), try blockCount())
        fixture.now = fixture.now.adding(seconds: 7 * 3600)
        other.now = fixture.now
        var steps = 0
        // The second process opened the log before; a third one begins after each step.
        while try [logs[0], logs[1], EventLog(context: fixture.context)][steps % 3].joinStep() {
            steps += 1
            #expect(try fixture.events() == events)
            try expectClean()
        }
        #expect(blocks == 300)
        #expect(try blockCount() < 25)
        #expect(try previews() == before)
        for log in logs + [EventLog(context: fixture.context)] {
            for start in stride(from: 0, to: sent.count, by: 100) {
                let again = Array(sent[start..<min(start + 100, sent.count)])
                #expect(try log.append([try EventBatch(again)]).first?.accepted == 0)
            }
        }
        fixture.now = fixture.now.adding(days: 2)
        try joinAll()
        try expectClean()
        #expect(try fixture.events() == events)
        #expect(try log.purge(before: fixture.now.adding(days: 1)) == events.count)
        #expect(try log.append([try EventBatch(Array(sent.prefix(100)))]).first?.accepted == 0)
        try expectClean()
    }

    /// Only on SQLite can the test tell what events take. `SUBGUARD_MEASURE_EVENTS=10000` prints it for so many.
    @Test(.enabled(if: TestDatabase.chosen == .sqlite, "about the file of an SQLite store"))
    func anEventOfAQuietServerTakesAHundredBytesAtMost() throws {
        func bytes() throws -> Int64 {
            try fixture.count("PRAGMA page_size")
                * (fixture.count("PRAGMA page_count") - fixture.count("PRAGMA freelist_count"))
        }
        let empty = try bytes()
        let measured = ProcessInfo.processInfo.environment["SUBGUARD_MEASURE_EVENTS"].flatMap { UInt64($0) }
        let count = measured ?? 2000
        for number in 0..<count {
            fixture.now = fixture.now.adding(milliseconds: 86_400_000 / Int64(count))
            try append([try event(number, "app_opened", user: Int(number / 3), at: fixture.now)])
        }
        try log.settle()
        let single = try bytes() - empty
        for _ in 0..<24 {
            fixture.now = fixture.now.adding(seconds: 3600)
            try joinAll()
        }
        let joined = try bytes() - empty
        if measured != nil { print("bytes an event: \(single / Int64(count)), joined \(joined / Int64(count))") }
        // With their ids, users and figures.
        #expect(joined <= 100 * Int64(count), "\(single / Int64(count)) bytes an event before")
        try expectClean()
    }

    @Test func leavesRecentAndLargeBlocksAlone() throws {
        try appendSingles(1...10)
        try append(try (100..<400).map { try event($0, "app_opened", user: 1, at: fixture.now) })
        try appendSingles(11...20)
        try log.settle()
        try joinAll()
        #expect(try blockCount() == 21)
        fixture.now = fixture.now.adding(seconds: 6 * 3600 - 4 * 60)
        try joinAll()
        // Ten, the large one, and two fives of which the second is recent.
        #expect(try blockCount() == 1 + 1 + 1 + 5)
        fixture.now = fixture.now.adding(seconds: 3600)
        try joinAll()
        #expect(try blockCount() == 3)
        try expectClean()
    }

    /// Otherwise old events would be kept for as long as new ones.
    @Test func joinsWhatWasReceivedWithinADay() throws {
        for day in 0..<4 {
            try appendSingles(UInt64(day * 100 + 1)...UInt64(day * 100 + 10))
            fixture.now = fixture.now.adding(days: 1)
            try log.settle()
            try joinAll()
        }
        #expect(try blockCount() == 4)
        #expect(try log.purge(before: fixture.now.adding(days: -3)) == 20)
        #expect(try fixture.events().count == 20)
        try expectClean()
    }

    @Test func joinsNothingAcrossTheStoredRanking() throws {
        try appendSingles(1...10)
        _ = try RankingStore(context: fixture.context, log: log).refreshIfDue()
        try appendSingles(11...20)
        fixture.now = fixture.now.adding(seconds: 8 * 3600)
        try log.settle()
        try joinAll()
        #expect(try blockCount() == 2)
        try expectClean()
    }

    @Test func waitsForErasuresAndDiscards() throws {
        try appendSingles(1...450)
        fixture.now = fixture.now.adding(days: 1)
        try log.settle()
        try log.requestErasure(of: userHash(3))
        _ = try log.takeErasureStep()
        _ = try log.takeErasureStep()
        #expect(try !log.joinStep())
        while try log.takeErasureStep() {}
        let discarder = EventDiscarder(log: log)
        var selection = DiscardSelection(
            receivedFrom: fixture.now.adding(days: -9), receivedBefore: fixture.now.adding(days: 9))
        selection.platforms = ["ios"]
        try discarder.begin(selection, by: Actor(tokenID: nil, name: "test", requestID: nil))
        #expect(try !log.joinStep())
        while try discarder.takeStep() {}
        #expect(try blockCount() == 450)
        try joinAll()
        #expect(try blockCount() == 1)
        #expect(try fixture.events().allSatisfy { $0.userID != userHash(3) })
        // The joined block is swept and searched like any other.
        try log.requestErasure(of: userHash(4))
        while try log.takeErasureStep() {}
        #expect(try fixture.events().allSatisfy { $0.userID != userHash(4) })
        selection.platforms = []
        selection.receivedBefore = fixture.now.adding(days: -1).adding(seconds: -3600)
        try discarder.begin(selection, by: Actor(tokenID: nil, name: "test", requestID: nil))
        while try discarder.takeStep() {}
        #expect(try fixture.events().count == 61)
        try expectClean()
    }

    @Test func leavesDamagedBlocksForVerification() throws {
        try appendSingles(1...10)
        fixture.now = fixture.now.adding(days: 1)
        try log.settle()
        try fixture.damage(block: 5)
        try joinAll()
        #expect(try blockCount() == 3)
        let error = #expect(throws: EventBlockError.self) { try fixture.events() }
        #expect(error?.block == 5)
    }

    @Test func aStepThatFailsLeavesTheBlocks() throws {
        try appendSingles(1...10)
        fixture.now = fixture.now.adding(days: 1)
        try log.settle()
        try fixture.refuseRows(of: "event_id_runs", when: "NEW.level >= 0")
        #expect(throws: SQLError.self) { try log.joinStep() }
        #expect(try blockCount() == 10)
        try fixture.takeRows(of: "event_id_runs")
        try joinAll()
        #expect(try blockCount() == 1)
        try expectClean()
    }
}

extension BackendFixture {
    fileprivate func damage(block: Int64) throws {
        try store.write {
            try $0.execute("UPDATE event_blocks SET events = ? WHERE id = ?", [.blob([1, 2, 3]), .integer(block)])
        }
    }
}
