import BackendTestKit
import EventLog
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

@Suite struct KnownUsersTests {
    private func hash(_ number: Int) throws -> UserHash {
        var bytes = [UInt8](repeating: 0xA5, count: 32)
        for place in 0..<4 { bytes[28 + place] = UInt8(truncatingIfNeeded: number >> (8 * (3 - place))) }
        return try #require(UserHash(bytes: bytes))
    }

    private func events(_ users: [Int], in fixture: BackendFixture) throws -> [AnalyticsEvent] {
        let definition = try #require(EventRegistry.definition(named: "app_opened"))
        return try users.map {
            AnalyticsEvent(
                id: fixture.context.makeID(), definition: definition, userID: try hash($0), timestamp: fixture.now,
                properties: nil)
        }
    }

    @Test func asksTheStoreForThoseItHasNotSeen() throws {
        let fixture = try BackendFixture()
        let log = EventLog(context: fixture.context)
        let stored = try events(Array(0..<300), in: fixture)
        _ = try log.append([EventBatch(events: stored, rejected: [], receivedAt: fixture.now, byteCount: 1)])
        try log.settle()
        let users = KnownUsers(context: fixture.context)
        // Every user twice, known and new ones mixed, more than fit one statement.
        let mixed = (0..<1000).flatMap { [$0, 999 - $0] }
        let strangers = try users.strangers(in: try events(mixed, in: fixture))
        #expect(Set(strangers) == Set(try (300..<1000).map { try hash($0) }))
        #expect(strangers.count == 700)
        #expect(try users.strangers(in: try events([1500], in: fixture)) == [try hash(1500)])
        users.remember(strangers)
        #expect(try users.strangers(in: try events(mixed, in: fixture)).isEmpty)
    }

    /// Users dropped from the cache are looked up in the database again.
    @Test func forgetsTheOldestOnly() throws {
        let fixture = try BackendFixture()
        let users = KnownUsers(context: fixture.context, capacity: 100)
        for number in 0..<250 {
            users.remember([try hash(number)])
            #expect(try users.strangers(in: try events([0], in: fixture)).isEmpty, "who is seen again stays known")
        }
        #expect(try users.strangers(in: try events([160, 249, 1], in: fixture)) == [try hash(1)])
    }
}
