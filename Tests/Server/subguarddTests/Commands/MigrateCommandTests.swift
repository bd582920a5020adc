import Foundation
import TestKit
import Testing

extension ProgramTests {
    struct MigrateCommandTests {
        @Test func migratesOnceAndThenHasNothingToDo() async throws {
            let installation = try Installation()
            let first = try await installation.run("migrate")
            #expect(first.succeeded)
            #expect(first.output.hasPrefix("applied 1-"))
            let second = try await installation.run("migrate")
            #expect(second.succeeded)
            #expect(second.output == "nothing to migrate\n")
        }

        @Test(arguments: [["migrate"], ["serve"], ["token", "list"], ["audit", "verify"]])
        func refusesAStoreFromTheFutureUntouched(command: [String]) async throws {
            let installation = try await Installation.migrated()
            try installation.execute(
                """
                INSERT INTO schema_migrations (number, slug, checksum, applied_at)
                VALUES (9001, 'made-in-2031', 'c0ffee', '2031-02-28T23:59:59Z')
                """)
            try await expectRefusal(of: command, installation, naming: ["9001", "made-in-2031"])
        }

        @Test(arguments: [["migrate"], ["serve"], ["token", "list"], ["backup"]])
        func refusesAStoreOfABuildBeforeTheFirstReleaseUntouched(command: [String]) async throws {
            let installation = try await Installation.migrated()
            try installation.execute("UPDATE schema_migrations SET slug = 'store-metadata' WHERE number = 1")
            try await expectRefusal(
                of: command, installation, naming: ["build before 0.1.0", "`subguardd catalogue export`"])
        }

        @Test(arguments: [["migrate"], ["serve"]])
        func namesAMigrationThatWasAppliedWithAnotherText(command: [String]) async throws {
            let installation = try await Installation.migrated()
            try installation.execute("UPDATE schema_migrations SET checksum = 'c0ffee' WHERE number = 3")
            try await expectRefusal(of: command, installation, naming: ["migration 3 (catalogue)"])
        }

        @Test(arguments: [["migrate"], ["serve"], ["token", "list"]])
        func refusesAnotherProgramsDatabaseUntouched(command: [String]) async throws {
            let installation = try Installation()
            try installation.execute("CREATE TABLE notes (body TEXT)")
            // Not in write-ahead-log mode, like most database files.
            var bytes = try installation.storeBytes()
            bytes.replaceSubrange(18...19, with: [1, 1])
            try bytes.write(to: URL(fileURLWithPath: installation.storePath))
            try await expectRefusal(of: command, installation, naming: ["another program"])
            for suffix in ["-wal", "-shm"] {
                #expect(!FileManager.default.fileExists(atPath: installation.storePath + suffix))
            }
        }

        /// As long as the folder has no database of its own, and no variable or file names one.
        @Test(
            .disabled(
                if: FileManager.default.fileExists(atPath: "/etc/subguard/subguardd.yaml"),
                "a server is installed, whose database comes first"))
        func aBuildOfACheckoutUsesItsDatabaseInEveryFolder() async throws {
            let (checkout, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
            let copy = checkout.file(".build/made-up/release/subguardd")
            try FileManager.default.createDirectory(
                atPath: checkout.file(".build/made-up/release"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: try Program.server.path(), toPath: copy)
            func run(
                _ arguments: String..., in folder: TemporaryFolder, variables: [String: String] = [:]
            ) async throws -> ChildProcess {
                let process = try ChildProcess(
                    .server, arguments,
                    environment: ["LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""]
                        .merging(variables) { $1 }, in: folder, copy: copy)
                #expect(try await process.ending() == .exited(0), "\(arguments): \(process.errors)")
                return process
            }
            let made = try await run("migrate", in: checkout)
            #expect(made.errors == "created \(checkout.file("data/subguard.sqlite"))\n")
            _ = try await run("token", "create", "--role", "owner", "--name", "été “29”", in: checkout)
            let found = try await run("token", "list", in: elsewhere)
            #expect(found.output.contains("été “29”"))
            #expect(found.errors == "using \(checkout.file("data/subguard.sqlite"))\n")
            let backup = try await run("backup", in: elsewhere)
            #expect(backup.output.hasPrefix(checkout.file("data/")))
            // What may make or replace a database keeps to the default.
            let own = try await run("migrate", in: elsewhere)
            #expect(own.errors == "created \(elsewhere.file("data/subguard.sqlite"))\n")
            #expect(try await run("token", "list", in: elsewhere).output.contains("été “29”") == false)
        }

        @Test func otherCommandsAskForItFirst() async throws {
            let installation = try Installation()
            let outcome = try await installation.run("token", "list")
            #expect(outcome.failed)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("subguardd migrate"))
        }

        private func expectRefusal(
            of command: [String], _ installation: Installation, naming words: [String]
        ) async throws {
            let before = try installation.storeBytes()
            let process = try installation.start(.server, command, variables: ["SUBGUARD_PORT": "0"])
            let ending = try await process.ending()
            #expect(ending == .exited(1))
            for word in words { #expect(process.errors.contains(word)) }
            #expect(process.output.isEmpty)
            #expect(try installation.storeBytes() == before)
        }
    }
}
