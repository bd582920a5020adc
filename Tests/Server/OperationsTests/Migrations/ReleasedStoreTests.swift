import BackendTestKit
import Foundation
import Operations
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import TestKit
import Testing
import ZlibCoding

@testable import ServerAccess
@testable import Telemetry

/// Databases that released programs wrote, with a row of most features. Whatever comes later must migrate them and read
/// them; their checksums also fail for a released migration that was edited.
struct ReleasedStoreTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("store.sqlite")
        let packed = try RepositoryFile.bytes("Tests/Server/OperationsTests/Fixtures/store-0.1.0.sqlite.gz")
        let bytes = try Inflater.inflate(packed, maximumBytes: 1 << 24)
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test func aStoreOfTheFirstReleaseIsMigratedAndRead() throws {
        let fixture = try BackendFixture(path: path, now: "2026-11-28T10:00:00Z")
        #expect(try Migrator.backend(.sqlite).status(of: fixture.store).isUpToDate)
        #expect(try fixture.file.integrityCheck().isEmpty)
        let figures = try FigureVerifier(context: fixture.context).verify()
        #expect(figures.agrees && figures.userCount == 12 && figures.eventCount == 37)
        #expect(try fixture.texts("SELECT name FROM suggestion_groups") == ["L’été “29” 🎉"])
        #expect(
            try fixture.texts("SELECT typical_amount_minor_units || ' ' || currency FROM catalogue_items ORDER BY slug")
                == ["1234 EUR", "1299 EUR", "1499 EUR"])
        #expect(try fixture.count("SELECT count(*) FROM crash_samples") == 1)
        #expect(try fixture.texts("SELECT name FROM alert_rules") == ["été"])
    }

    /// The hashes of tokens and of the audit log are those of the release, bit for bit.
    @Test func itsTokenSignsInAndItsAuditLogIsWhole() throws {
        let fixture = try BackendFixture(path: path, now: "2026-11-28T10:00:00Z")
        let tokens = AccessTokenStore(context: fixture.context)
        let found = try tokens.authenticate("sgt_qIMb48NdiNQ6ChBiYD_Wo-fil3Ojj3PCcZAAgCv92_c")
        #expect(found?.name == "l'été" && found?.role.name == "owner")
        let audit = try AuditLog(context: fixture.context).verify()
        #expect(audit.firstBroken == nil && audit.count == 6)
    }
}
