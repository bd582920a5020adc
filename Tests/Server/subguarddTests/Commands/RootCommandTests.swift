import Foundation
import Operations
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import TestKit
import Testing

extension ProgramTests {
    /// Commands run by root in a folder of the service, which may put anything there.
    @Suite(.enabled(if: geteuid() == 0, "only root can work for another user")) struct RootCommandTests {
        private static let service: uid_t = 10_029

        /// A database of the service with a backup, and a file and a folder of root that the service cannot access.
        private struct Place {
            let installation: Installation
            let backup: String
            var data: String { installation.folder.file("store") }
            var secret: String { installation.folder.file("root/secret") }

            init() async throws {
                installation = try Installation()
                try #require(mkdir(installation.folder.file("store"), 0o750) == 0)
                try #require(chown(installation.folder.file("store"), service, service) == 0)
                try #require(mkdir(installation.folder.file("root"), 0o700) == 0)
                try installation.folder.write("root:*:29", to: "root/secret")
                try #require(chmod(installation.folder.file("root/secret"), 0o600) == 0)
                for command in [["migrate"], ["backup"]] {
                    let process = try installation.start(.server, command, variables: [:])
                    try #require(try await process.ending(withinSeconds: 60) == .exited(0), "\(process.errors)")
                }
                backup = try #require(
                    BackupFolder(path: installation.folder.file("store/backups")).list(at: .latest).first)
            }

            /// Plants a file, runs the command to its end and removes the file.
            func refusal(_ command: [String], planting path: String, _ plant: (String) -> Int32) async throws -> String
            {
                let kept = path + ".kept"
                rename(path, kept)
                try #require(plant(path) == 0)
                lchown(path, service, service)
                let process = try installation.start(.server, command, variables: [:])
                #expect(try await process.ending(withinSeconds: 20) == .exited(1), "\(command): \(process.errors)")
                unlink(path)
                rmdir(path)
                rename(kept, path)
                try expectUntouched()
                return process.errors
            }

            func expectUntouched() throws {
                let attributes = try FileManager.default.attributesOfItem(atPath: secret)
                #expect(attributes[.ownerAccountID] as? Int == 0)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                #expect(try String(contentsOfFile: secret, encoding: .utf8) == "root:*:29")
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: installation.folder.file("root")) == ["secret"])
            }
        }

        @Test func refusesWhatStandsInThePlaceOfAFile() async throws {
            let place = try await Place()
            let store = place.installation.storePath
            let commands = [["token", "list"], ["migrate"], ["backup"], ["restore", place.backup]]
            for path in [store + ".lock", store] {
                for command in commands {
                    let link = try await place.refusal(command, planting: path) { symlink(place.secret, $0) }
                    #expect(link.contains("\(path) is a symbolic link"), "\(command): \(link)")
                    let pipe = try await place.refusal(command, planting: path) { mkfifo($0, 0o666) }
                    #expect(pipe.contains("\(path) is not a regular file"), "\(command): \(pipe)")
                    let folder = try await place.refusal(command, planting: path) { mkdir($0, 0o777) }
                    #expect(folder.contains("\(path) is not a regular file"), "\(command): \(folder)")
                }
            }
            // A second hard link keeps its owner.
            for command in commands {
                try #require(link(place.secret, store + ".lock") == 0)
                let process = try place.installation.start(.server, command, variables: [:])
                #expect(try await process.ending(withinSeconds: 20) == .exited(1))
                #expect(process.errors.contains("has 2 hard links"), "\(command): \(process.errors)")
                unlink(store + ".lock")
                try place.expectUntouched()
            }
            for suffix in ["-wal", "-shm", "-journal"] {
                let link = try await place.refusal(["token", "list"], planting: store + suffix) {
                    symlink(place.secret, $0)
                }
                #expect(link.contains("\(store)\(suffix) is a symbolic link"), "\(link)")
            }
            let manifest = try await place.refusal(
                ["restore", place.backup], planting: place.backup + "/manifest.json"
            ) { symlink(place.secret, $0) }
            #expect(manifest.contains("manifest.json is a symbolic link"), "\(manifest)")
            #expect((try await place.installation.run("restore", place.backup)).succeeded)
        }

        @Test func followsNoLinkToAFolderOfRoots() async throws {
            let place = try await Place()
            let root = place.installation.folder.file("root")
            for name in ["backups", "logos"] {
                let errors = try await place.refusal(["backup"], planting: place.data + "/" + name) {
                    symlink(root, $0)
                }
                #expect(errors.contains("\(place.data)/\(name)"), "\(errors)")
            }
        }

        /// The link appears and disappears while commands run.
        @Test func aLinkThatIsSwappedInGainsNothing() async throws {
            let place = try await Place()
            let script = """
                import os, sys
                os.setgroups([]); os.setgid(10029); os.setuid(10029)
                while True:
                    for name in sys.argv[2:]:
                        try:
                            os.symlink(sys.argv[1], name + ".swap"); os.rename(name + ".swap", name); os.unlink(name)
                            os.mkfifo(name); os.unlink(name)
                        except OSError: pass
                """
            let attacker = Process()
            attacker.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            let store = place.installation.storePath
            attacker.arguments = ["-c", script, place.secret, store + ".lock", place.data + "/backups/status.json"]
            attacker.standardOutput = FileHandle.nullDevice
            attacker.standardError = FileHandle.nullDevice
            try attacker.run()
            defer { kill(attacker.processIdentifier, SIGKILL) }
            for round in 0..<6 {
                let command = round.isMultiple(of: 2) ? ["backup"] : ["restore", "--drill"]
                let process = try place.installation.start(.server, command, variables: [:])
                // It succeeds or reports the reason.
                let ending = try await process.ending(withinSeconds: 30)
                #expect(ending == .exited(0) || ending == .exited(1), "\(ending)")
                try place.expectUntouched()
            }
        }

        @Test func whatRootMakesIsTheServices() async throws {
            let place = try await Place()
            let enumerator = try #require(FileManager.default.enumerator(atPath: place.data))
            for case let name as String in enumerator {
                let attributes = try FileManager.default.attributesOfItem(atPath: place.data + "/" + name)
                #expect(attributes[.ownerAccountID] as? Int == Int(Self.service), "\(name)")
            }
            #expect((try await place.installation.run("token", "create", "--role", "owner", "--name", "x")).succeeded)
            #expect((try await place.installation.run("audit", "export")).output.contains("root (command line)"))
        }

        /// Root may write to and read from a folder that only root can change.
        @Test func backsUpIntoAFolderOfRootsAndRestoresFromIt() async throws {
            let place = try await Place()
            let vault = place.installation.folder.file("vault")
            try #require(mkdir(vault, 0o700) == 0)
            let written = try await place.installation.run("backup", "--to", vault)
            #expect(written.succeeded, "\(written.errors)")
            let path = written.output.replacing("\n", with: "")
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/store.sqlite")
            #expect(attributes[.ownerAccountID] as? Int == 0)
            let left = try FileManager.default.contentsOfDirectory(atPath: place.data)
            #expect(!left.contains { $0.contains(".backing-up-") }, "\(left)")
            let restored = try await place.installation.run("restore", path)
            #expect(restored.succeeded, "\(restored.errors)")
            let store = try FileManager.default.attributesOfItem(atPath: place.installation.storePath)
            #expect(store[.ownerAccountID] as? Int == Int(Self.service))
            #expect(try place.installation.withStore { try $0.integrityCheck() } == [])
        }

        @Test func theServerGivesUpRootForGood() async throws {
            let place = try await Place()
            let server = try await place.installation.serve()
            let status = try String(contentsOfFile: "/proc/\(server.process.id)/status", encoding: .utf8)
            let user = try #require(status.split(separator: "\n").first { $0.hasPrefix("Uid:") })
            #expect(user == "Uid:\t10029\t10029\t10029\t10029")
            #expect(try await server.stop() == .exited(0))
        }

        @Test func refusesAFolderOfRootsBelowOneOfAnother() async throws {
            let place = try await Place()
            try #require(mkdir(place.data + "/inner", 0o700) == 0)
            let url = "sqlite:\(place.data)/inner/store.sqlite"
            let outcome = try await place.installation.run("migrate", variables: ["SUBGUARD_DATABASE_URL": url])
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors.contains("belongs to another user"), "\(outcome.errors)")
            let moved = try await place.installation.run(
                "migrate-store", "--from", "sqlite:\(place.installation.storePath)", "--to",
                "sqlite:\(place.installation.folder.file("root/other.sqlite"))")
            #expect(moved.ending == .exited(1))
            #expect(moved.errors.contains("the stores belong to different users"), "\(moved.errors)")
            try place.expectUntouched()
        }
    }
}
