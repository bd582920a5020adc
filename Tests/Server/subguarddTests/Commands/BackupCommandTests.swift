import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

extension ProgramTests {
    @Suite struct BackupCommandTests {
        private func backup(_ installation: Installation, _ arguments: String...) async throws -> String {
            let process = try installation.start(.server, ["backup"] + arguments, variables: [:])
            #expect(try await process.ending(withinSeconds: 60) == .exited(0), "\(process.errors)")
            return process.output.replacing("\n", with: "")
        }

        private func restore(_ installation: Installation, _ path: String) async throws -> Installation.Outcome {
            try await installation.run("restore", path)
        }

        @Test func whatWasBackedUpWhileTheServerRanComesBack() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            var maker = EventBatchMaker(seed: 29)
            let batch = maker.make(count: 50)
            _ = try RawClient.exchange(server.port, RequestText.post("/api/v1/analytics", batch.body))
            let path = try await backup(installation)
            #expect(path.contains("/backups/subguard-"))
            _ = try RawClient.exchange(server.port, RequestText.post("/api/v1/analytics", maker.make(count: 50).body))
            let refused = try await restore(installation, path)
            #expect(refused.failed && refused.errors.contains("a server runs on this store"))
            #expect(try await server.stop() == .exited(0))
            #expect(try installation.eventIDs().count == 100)
            let epoch = try installation.integer("SELECT hex(value) = '' FROM store_metadata WHERE key = 'epoch'")
            #expect(epoch == 0)
            let before = try installation.withStore { store in
                try store.read {
                    try $0.first("SELECT value FROM store_metadata WHERE key = 'epoch'") { try $0.blob(0) }
                }
            }
            let restored = try await restore(installation, path)
            #expect(restored.succeeded, "\(restored.errors)")
            #expect(restored.output.contains("50 events"))
            #expect(restored.output.hasPrefix("restored \(installation.storePath) from \(path): "))
            #expect(try installation.eventIDs().count == 50)
            #expect(try installation.withStore { try $0.integrityCheck() } == [])
            let after = try installation.withStore { store in
                try store.read {
                    try $0.first("SELECT value FROM store_metadata WHERE key = 'epoch'") { try $0.blob(0) }
                }
            }
            #expect(before != after, "devices that saw what came later must start over")
            #expect((try await installation.run("figures", "verify")).succeeded)
            #expect((try await installation.run("audit", "verify")).succeeded)
            #expect((try await installation.run("audit", "export")).output.contains("store.restore"))
            let kept = try FileManager.default.contentsOfDirectory(
                atPath: URL(fileURLWithPath: installation.storePath).deletingLastPathComponent().path)
            #expect(kept.count { $0.contains(".before-restore-") } == 1)
        }

        @Test func aDamagedBackupReplacesNothing() async throws {
            let installation = try await Installation.migrated()
            let path = try await backup(installation)
            let copy = URL(fileURLWithPath: path + "/store.sqlite")
            var bytes = try Data(contentsOf: copy)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: copy)
            let before = try installation.storeBytes()
            let outcome = try await restore(installation, path)
            #expect(outcome.failed && outcome.errors.contains("has changed since the backup was made"))
            #expect(try installation.storeBytes() == before)
            #expect((try await installation.run("restore", "--drill")).failed)
            try FileManager.default.removeItem(atPath: path + "/manifest.json")
            #expect((try await restore(installation, path)).errors.contains("is not a backup"))
        }

        @Test func keepsTheNewestAndProvesIt() async throws {
            let installation = try await Installation.migrated()
            var paths: [String] = []
            for _ in 0..<3 { paths.append(try await backup(installation, "--keep", "2")) }
            #expect(!FileManager.default.fileExists(atPath: paths[0]))
            let drill = try await installation.run("restore", "--drill")
            #expect(drill.succeeded && drill.output.hasPrefix("verified \(paths[2])"), "\(drill.errors)")
            let server = try await installation.serve()
            let metrics = try RawClient.exchange(server.port, RequestText.get("/metrics")).text
            #expect(metrics.contains("subguard_restore_drill_success 1"))
            #expect(metrics.contains("subguard_backup_last_success_timestamp_seconds "))
            #expect(try await server.stop() == .exited(0))
            #expect((try await installation.run("restore")).ending == .exited(64))
        }

        @Test func aMistypedPathLeavesNothingBehind() async throws {
            let installation = try Installation()
            for command in [["token", "list"], ["backup"], ["audit", "verify"]] {
                let process = try installation.start(.server, command, variables: [:])
                #expect(try await process.ending(withinSeconds: 60) == .exited(1))
                #expect(process.errors.contains("there is no database at"))
            }
            #expect(!FileManager.default.fileExists(atPath: installation.storePath))
        }
    }
}
