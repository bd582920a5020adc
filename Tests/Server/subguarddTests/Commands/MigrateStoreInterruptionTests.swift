import Catalogue
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

extension ProgramTests {
    /// The state after a killed `migrate-store`, and how the next run continues.
    struct MigrateStoreInterruptionTests {
        private let store: MovedStore

        init() throws { store = try MovedStore() }

        /// Killed while copying logos, then while copying tables; completed parts are not written again.
        @Test func goesOnWhereItWasKilled() async throws {
            let token = try await store.fill()
            try addLogos(45)
            try await store.migrate(store.database)
            try store.execute(
                """
                CREATE FUNCTION forever() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF TG_TABLE_NAME = 'user_pages' OR (SELECT count(*) FROM catalogue_logo_contents) >= 20 THEN
                        PERFORM pg_sleep(600);
                    END IF;
                    RETURN NEW;
                END $$
                """, in: store.database)
            let logos = "SELECT file_name || ' ' || xmin::text FROM catalogue_logo_contents ORDER BY 1"
            let items = "SELECT slug || ' ' || xmin::text FROM catalogue_items ORDER BY 1"

            try hang(onInsertInto: "catalogue_logo_contents")
            try await killMove(to: store.database) { _ in try store.texts(logos, in: store.database).count == 20 }
            try store.execute("DROP TRIGGER forever ON catalogue_logo_contents", in: store.database)
            try await expectRefusalToServe(store.database)
            let someLogos = try store.texts(logos, in: store.database)
            #expect(try store.texts(items, in: store.database).isEmpty)

            try hang(onInsertInto: "user_pages")
            try await killMove(to: store.database) { $0.contains("copied event_blocks") }
            try store.execute("DROP TRIGGER forever ON user_pages", in: store.database)
            try await expectRefusalToServe(store.database)
            let (allLogos, allItems) = (
                try store.texts(logos, in: store.database), try store.texts(items, in: store.database)
            )
            #expect(allLogos.count == 47 && allItems.count == 4)
            #expect(Set(allLogos).isSuperset(of: someLogos))

            let outcome = try await store.move(store.file, store.database)
            #expect(outcome.succeeded, "\(outcome.errors)")
            #expect(outcome.output.contains(" and 47 logos into the database"))
            #expect(try store.texts(logos, in: store.database) == allLogos)
            #expect(try store.texts(items, in: store.database) == allItems)
            try await store.expectSound(store.database)
            let server = try await store.serve(store.database)
            #expect(try StoreAnswers(server, token: token).logos.count == 2)
            #expect(try await server.stop() == .exited(0))
        }

        @Test func goesOnInAFileAsWell() async throws {
            let token = try await store.fill()
            #expect(try await store.move(store.file, store.database).succeeded)
            let target = try await Installation.migrated()
            try target.execute([
                """
                CREATE VIEW forever AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n
                """,
                "CREATE TRIGGER forever BEFORE INSERT ON user_pages BEGIN SELECT count(*) FROM forever; END",
            ])
            let process = try store.installation.start(
                .server, ["migrate-store", "--from", store.database, "--to", "sqlite:\(target.storePath)"],
                variables: [:])
            #expect(try await holds(withinSeconds: 60) { process.errors.contains("copied event_blocks") })
            process.send(signal: SIGKILL)
            #expect(try await process.ending() == .killed(signal: SIGKILL))
            try target.execute(["DROP TRIGGER forever", "DROP VIEW forever"])
            try await expectRefusalToServe("sqlite:\(target.storePath)")
            let outcome = try await store.move(store.database, "sqlite:\(target.storePath)")
            try expectAccountOfTheRest(outcome)
            try await store.expectSound("sqlite:\(target.storePath)")
            let server = try await store.serve("sqlite:\(target.storePath)")
            #expect(try StoreAnswers(server, token: token).logos.count == 2)
            #expect(try await server.stop() == .exited(0))
        }

        /// Complete tables are compared but not copied again.
        private func expectAccountOfTheRest(_ outcome: Installation.Outcome) throws {
            #expect(outcome.succeeded, "\(outcome.errors)")
            #expect(!outcome.errors.contains("copied event_blocks"))
            #expect(!outcome.errors.contains("copied logos"))
            #expect(outcome.errors.contains("compared event_blocks"))
            #expect(outcome.errors.contains("compared logos: 2 files"))
            #expect(outcome.errors.contains("copied user_pages"))
        }

        /// Logos that an item had one after the other.
        private func addLogos(_ count: Int) throws {
            try store.installation.withStore { file in
                let context = BackendContext(
                    store: file, now: { UTCInstant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)) },
                    random: { UInt64.random(in: .min ... .max) })
                let catalogue = CatalogueStore(context: context)
                let folder = LogoFolder(path: store.installation.folder.file("store/logos"))
                let items = try catalogue.loadSnapshot().items
                let item = try #require(items.first { $0.slug == "spotify-premium" })
                for number in 0..<count {
                    try catalogue.setLogo(
                        LogoFile([UInt8](repeating: UInt8(number), count: 1000), format: .png), in: folder,
                        of: item.id, ifRevision: nil, by: .commandLine(user: "test"))
                }
                try catalogue.setLogo(nil, in: folder, of: item.id, ifRevision: nil, by: .commandLine(user: "test"))
            }
        }

        private func hang(onInsertInto table: String) throws {
            try store.execute(
                "CREATE TRIGGER forever BEFORE INSERT ON \(table) FOR EACH ROW EXECUTE FUNCTION forever()",
                in: store.database)
        }

        /// Starts a copy, kills it when `condition` is true for its output, and ends its connections in the server.
        private func killMove(to target: String, when condition: (String) throws -> Bool) async throws {
            let process = try store.installation.start(
                .server, ["migrate-store", "--from", store.file, "--to", target], variables: [:])
            let came = try await holds(withinSeconds: 60) { try process.hasEnded || condition(process.errors) }
            #expect(came && !process.hasEnded, "\(process.errors)")
            process.send(signal: SIGKILL)
            #expect(try await process.ending() == .killed(signal: SIGKILL))
            // PostgreSQL notices the lost connection only after its sleep.
            let others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            let areGone = try await holds {
                _ = try store.texts("SELECT pg_terminate_backend(pid)::text \(others)", in: target)
                return try store.texts("SELECT pid::text \(others)", in: target).isEmpty
            }
            #expect(areGone)
        }

        private func expectRefusalToServe(_ url: String) async throws {
            for command in ["serve", "backup"] {
                let outcome = try await store.installation.run(
                    command, variables: ["SUBGUARD_DATABASE_URL": url, "SUBGUARD_PORT": "0"])
                #expect(outcome.ending == .exited(1))
                #expect(
                    outcome.errors.contains("the store is an unfinished copy of another one"), "\(outcome.errors)")
            }
        }
    }
}
