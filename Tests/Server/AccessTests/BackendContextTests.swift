import BackendTestKit
import ServerAccess
import SubGuardDomain
import Testing

struct BackendContextTests {
    @Test func makesIDsThatCarryTheTimeAndDiffer() throws {
        let fixture = try BackendFixture(now: "2024-02-29T12:34:56.789Z")
        let ids = (0..<100).map { _ in fixture.context.makeID() }
        #expect(Set(ids).count == 100)
        let milliseconds = try instant("2024-02-29T12:34:56.789Z").millisecondsSinceEpoch
        #expect(ids.allSatisfy { $0.rawBytes.prefix(6).reduce(0) { $0 << 8 | Int64($1) } == milliseconds })
        #expect(ids.allSatisfy { $0.rawBytes[6] >> 4 == 7 })
    }
}
