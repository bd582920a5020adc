import SubGuardEngine
import TestKit
import Testing

/// Backups that other builds sealed must open for ever. Each holds “Gym “été” 🏋” for 12.34 EUR and Netflix.
@Suite struct SealedFixtureTests {
    @Test(arguments: ["sealed-by-swift-crypto.subguard", "sealed-by-libcrypto.subguard"])
    func opensBackupsOfOtherBuilds(_ name: String) throws {
        let sealed = try RepositoryFile.bytes("Tests/Device/EngineTests/Fixtures/\(name)")
        let fixture = try EngineFixture("2026-12-24")
        let passphrase = Passphrase(fileContent: Array("p4ss — é\n".utf8))
        try fixture.store.backups.restore(sealed, passphrase: passphrase, at: fixture.moment)
        let subscriptions = try fixture.store.subscriptions.list(at: fixture.moment).map(\.name)
        #expect(subscriptions.sorted() == ["Gym “été” 🏋", "Netflix"])
        #expect(throws: DeviceStoreError.wrongPassphrase) {
            try fixture.store.backups.restore(sealed, passphrase: "p4ss - e", at: fixture.moment)
        }
    }
}
