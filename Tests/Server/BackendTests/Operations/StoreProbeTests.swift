import Backend
import BackendTestKit
import SQLDatabase
import SubGuardSQL
import Testing

struct StoreProbeTests {
    @Test func commitsAWriteToTheSameRowEachTime() throws {
        let fixture = try BackendFixture()
        let probe = StoreProbe(context: fixture.context)
        try probe.check()
        fixture.now = try instant("2028-02-29T23:59:59.999Z")
        try probe.check()

        let other = try fixture.reopened()
        #expect(try other.count("SELECT write_count FROM health_probe") == 2)
        #expect(try other.count("SELECT count(*) FROM health_probe") == 1)
        #expect(try other.count("SELECT probed_at FROM health_probe") == 1_835_481_599_999)
    }

    @Test func throwsWhenTheStoreIsClosed() throws {
        let fixture = try BackendFixture()
        try fixture.store.close()
        #expect(throws: SQLError.self) { try StoreProbe(context: fixture.context).check() }
    }

    @Test func throwsWhenTheRowIsGone() throws {
        let fixture = try BackendFixture()
        _ = try fixture.store.write { try $0.execute("DELETE FROM health_probe") }
        #expect(throws: SQLError.self) { try StoreProbe(context: fixture.context).check() }
    }
}
