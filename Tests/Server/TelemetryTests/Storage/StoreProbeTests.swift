import BackendTestKit
import SQLDatabase
import SubGuardSQL
import Telemetry
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

    /// A row of a few bytes would fit where a batch of events does not.
    @Test func writesAsMuchAsABatchAndTheStoreDoesNotGrow() throws {
        let fixture = try BackendFixture()
        let probe = StoreProbe(context: fixture.context)
        try probe.check()
        #expect(try fixture.reopened().count("SELECT length(ballast) FROM health_probe") == 16_384)
        let before = try StorageMeasure(of: fixture.store, path: nil).usedBytes
        for _ in 0..<20 { try probe.check() }
        // PostgreSQL reclaims the old rows later.
        if fixture.store.dialect == .sqlite {
            #expect(try StorageMeasure(of: fixture.store, path: nil).usedBytes == before)
        }
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
