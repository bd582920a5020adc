import BackendTestKit
import Foundation
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import Testing

@testable import ServerAccess

struct AuditLogTests {
    private let fixture: BackendFixture
    private let log: AuditLog

    init() throws {
        fixture = try BackendFixture()
        log = AuditLog(context: fixture.context)
    }

    private func append(_ number: Int, in store: any SQLStore, before: String? = nil) throws {
        let change = AuditChange(
            actor: .editor, stored: "test.\(number)", subjectID: makeID(UInt64(number)), before: before,
            after: "{\"name\":\"Ünïcode ‘quote’ \(number) 🎬\"}")
        try store.write { try AuditLog.append(in: $0, change, at: fixture.now) }
    }

    private func appendFive() throws {
        for number in 1...5 { try append(number, in: fixture.store) }
    }

    /// Changes that an attacker with access to the file can make: triggers do not stop them.
    private func tamper(_ sql: String, _ arguments: [SQLValue] = []) throws {
        let triggers =
            fixture.store.dialect == .sqlite
            ? ["audit_entries_refuse_update", "audit_entries_refuse_delete"] : ["audit_entries_refuse_change"]
        for trigger in triggers { try fixture.dropTrigger(trigger, of: "audit_entries") }
        try fixture.store.write { transaction in
            try transaction.execute(fixture.words(sql), arguments)
        }
    }

    private func broken(_ sequence: Int64, _ reason: AuditVerification.Break.Reason) -> AuditVerification {
        AuditVerification(count: sequence - 1, firstBroken: .init(sequence: sequence, reason: reason))
    }

    @Test func anEmptyLogIsIntact() throws {
        #expect(try log.verify() == AuditVerification(count: 0, firstBroken: nil))
    }

    @Test func keepsWhoWhatAndWhenAndListsTheNewestFirst() throws {
        try appendFive()
        #expect(try log.verify() == AuditVerification(count: 5, firstBroken: nil))
        let page = try log.list(after: nil, limit: 2)
        #expect(page.map(\.sequence) == [5, 4])
        #expect(try log.list(after: 4, limit: 10).map(\.sequence) == [3, 2, 1])
        let entry = try #require(page.first)
        #expect(entry.change.actor == .editor)
        #expect(entry.change.action == "test.5")
        #expect(entry.change.subjectID == makeID(5))
        #expect(entry.change.before == nil)
        #expect(entry.change.after == "{\"name\":\"Ünïcode ‘quote’ 5 🎬\"}")
        #expect(entry.happenedAt == fixture.now)
    }

    @Test func filtersByAuthorAndDay() throws {
        for (name, day) in [("Zoë, editor", "2026-11-18"), ("Bob %_", "2026-11-19"), ("Zoë, owner", "2026-11-20")] {
            let change = AuditChange(
                actor: Actor(tokenID: nil, name: name, requestID: nil), stored: "x.y", subjectID: nil, before: nil,
                after: nil)
            let instant = try #require(UTCInstant(rfc3339: day + "T23:59:59.999Z"))
            try fixture.store.write { try AuditLog.append(in: $0, change, at: instant) }
        }
        func found(_ filter: AuditFilter) throws -> [Int64] {
            try log.list(matching: filter, after: nil, limit: 10).map(\.sequence)
        }
        #expect(try found(AuditFilter(actor: "Zoë")) == [3, 1])
        #expect(try found(AuditFilter(actor: "%")) == [2], "no pattern")
        #expect(try found(AuditFilter(actor: "zoë")).isEmpty)
        let day = try #require(CalendarDay(iso: "2026-11-19"))
        #expect(try found(AuditFilter(days: DayRange(from: day, to: day))) == [2])
        #expect(try found(AuditFilter(days: DayRange(from: day))) == [3, 2])
        #expect(try found(AuditFilter(actor: "Zoë", days: DayRange(to: day))) == [1])
        #expect(try log.find(2)?.change.actor.name == "Bob %_")
        #expect(try log.find(4) == nil)
        #expect(try log.count() == 3)
    }

    /// Rows of a few authors are read by the index of their names, those of many in the order of the log.
    @Test(arguments: [3, 30]) func pagesThroughTheRowsOfSeveralAuthors(_ count: Int) throws {
        for number in 0..<(count * 2) {
            let actor = Actor(tokenID: nil, name: "Author \(number % count)", requestID: nil)
            let change = AuditChange(actor: actor, stored: "x.y", subjectID: nil, before: nil, after: nil)
            try fixture.store.write { try AuditLog.append(in: $0, change, at: fixture.now) }
            try append(number + 1, in: fixture.store)
        }
        let all = try log.list(matching: AuditFilter(), after: nil, limit: 200)
            .filter { $0.change.actor.name.hasPrefix("Author") }.map(\.sequence)
        #expect(all.count == count * 2)
        var read: [Int64] = []
        while true {
            let page = try log.list(matching: AuditFilter(actor: "uthor "), after: read.last, limit: 4)
            if page.isEmpty { break }
            read += page.map(\.sequence)
        }
        #expect(read == all)
        #expect(try log.list(matching: AuditFilter(actor: "uthor x"), after: nil, limit: 4).isEmpty)
    }

    @Test func twoProcessesWriteOneChain() throws {
        let other = try fixture.reopened()
        for number in 1...6 { try append(number, in: number.isMultiple(of: 2) ? other.store : fixture.store) }
        #expect(try log.verify() == AuditVerification(count: 6, firstBroken: nil))
    }

    @Test func aChangeThatIsRolledBackLeavesNoRow() throws {
        try append(1, in: fixture.store)
        #expect(throws: MalformedTestData.self) {
            try fixture.store.write { transaction in
                let change = AuditChange(actor: .editor, stored: "x", subjectID: nil, before: nil, after: nil)
                try AuditLog.append(in: transaction, change, at: fixture.now)
                throw MalformedTestData()
            }
        }
        try append(2, in: fixture.store)
        #expect(try log.verify() == AuditVerification(count: 2, firstBroken: nil))
    }

    @Test(arguments: [
        "UPDATE audit_entries SET actor_name = 'x' WHERE sequence = 1", "DELETE FROM audit_entries",
        "INSERT OR REPLACE INTO audit_entries SELECT * FROM audit_entries WHERE sequence = 1",
        "DELETE FROM audit_heads",
    ])
    func refusesToBeRewritten(sql: String) throws {
        try appendFive()
        #expect(throws: SQLError.self) { try fixture.execute(sql) }
        #expect(try log.verify() == AuditVerification(count: 5, firstBroken: nil))
    }

    @Test(arguments: [
        "happened_at = happened_at + 1", "actor_token_id = zeroblob(16)", "actor_name = 'nobody'", "request_id = NULL",
        "request_id = ''", "action = action || ' '", "subject_id = NULL", "before_json = ''",
        "after_json = replace(after_json, 'quote', 'quotf')", "hash = zeroblob(32)",
        "actor_name = '', request_id = actor_name || request_id",
    ])
    func findsAnEditOfAnyColumn(assignment: String) throws {
        try appendFive()
        try tamper("UPDATE audit_entries SET \(assignment) WHERE sequence = 3")
        #expect(try log.verify() == broken(3, .altered))
    }

    @Test func findsRowsThatWereRemovedSwappedOrCutOff() throws {
        try appendFive()
        try tamper("DELETE FROM audit_entries WHERE sequence = 2")
        #expect(try log.verify() == broken(2, .missing))
        _ = try fixture.store.write {
            try $0.execute("UPDATE audit_entries SET sequence = sequence - 1 WHERE sequence > 2")
        }
        #expect(try log.verify() == broken(2, .altered))
    }

    @Test func findsAnEndThatWasCutOff() throws {
        try appendFive()
        try tamper("DELETE FROM audit_entries WHERE sequence > 3")
        #expect(try log.verify() == broken(4, .missing))
    }

    @Test func findsAHeadThatWasMoved() throws {
        try appendFive()
        try tamper("UPDATE audit_heads SET entry_count = 4")
        #expect(try log.verify() == AuditVerification(count: 5, firstBroken: .init(sequence: 5, reason: .headDiffers)))
    }

    @Test(.onSQLite) func namesARowThatAnEditOfTheFileBroke() throws {
        try appendFive()
        let copy = try fixture.file.path + ".copy"
        try fixture.file.snapshot(to: copy)
        var content = try Data(contentsOf: URL(fileURLWithPath: copy))
        let range = try #require(content.range(of: Data("‘quote’ 4".utf8)))
        content.replaceSubrange(range, with: Data("‘quote’ 7".utf8))
        try content.write(to: URL(fileURLWithPath: copy))

        let edited = try BackendFixture(path: copy)
        #expect(try edited.file.integrityCheck().isEmpty)
        #expect(try AuditLog(context: edited.context).verify() == broken(4, .altered))
        #expect(try log.verify().isIntact)
    }
}
