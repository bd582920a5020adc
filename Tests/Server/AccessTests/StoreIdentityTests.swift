import BackendTestKit
import ServerAccess
import Testing

struct StoreIdentityTests {
    @Test func isMadeOnceAndSharedByEveryProcess() throws {
        let fixture = try BackendFixture(seed: 7)
        let first = try StoreIdentity(context: fixture.context)
        let again = try StoreIdentity(context: fixture.context)
        let other = try StoreIdentity(context: fixture.reopened(seed: 99).context)
        #expect(first.epoch.count == 8)
        #expect(again == first)
        #expect(other == first)
    }

    @Test func differsFromStoreToStore() throws {
        let first = try StoreIdentity(context: BackendFixture(seed: 1).context)
        let second = try StoreIdentity(context: BackendFixture(seed: 2).context)
        #expect(first != second)
    }
}
