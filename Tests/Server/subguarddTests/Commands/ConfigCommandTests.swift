import Foundation
import TestKit
import Testing

extension ProgramTests {
    struct ConfigCommandTests {
        /// Key, value and origin of every line.
        private func check(
            _ installation: Installation, _ arguments: [String] = [], variables: [String: String] = [:]
        ) async throws -> [String: [String]] {
            let process = try installation.start(.server, ["config", "check"] + arguments, variables: variables)
            #expect(try await process.ending() == .exited(0))
            let rows = process.output.split(separator: "\n").map { line in
                line.replacing(/\s{2,}/, with: "\t").split(separator: "\t").map(String.init)
            }
            return Dictionary(rows.map { ($0[0], Array($0.dropFirst())) }) { first, _ in first }
        }

        @Test func tellsWhereEachValueComesFrom() async throws {
            let installation = try Installation()
            let file = try installation.folder.write(
                "port: 1111\nlog_level: debug\nworkers: 7\ntrusted_proxies: [10.0.0.1, '::1']\n", to: "subguardd.yaml")
            let settings = try await check(
                installation, ["--config", file, "--port", "3333", "--set", "loops=2"],
                variables: ["SUBGUARD_PORT": "2222", "SUBGUARD_LOG_LEVEL": "error"])
            #expect(settings["port"] == ["3333", "flag"])
            #expect(settings["loops"] == ["2", "flag"])
            #expect(settings["log_level"] == ["error", "environment"])
            #expect(settings["workers"] == ["7", "file \(file)"])
            #expect(settings["trusted_proxies"] == ["10.0.0.1,::1", "file \(file)"])
            #expect(settings["host"] == ["127.0.0.1", "default"])
            #expect(settings["database_url"] == ["sqlite:\(installation.storePath)", "environment"])
        }

        @Test func theFileIsNamedByAVariableUnlessAFlagNamesAnother() async throws {
            let installation = try Installation()
            let named = try installation.folder.write("workers: 7\n", to: "é named.yaml")
            let other = try installation.folder.write("workers: 9\n", to: "other.yaml")
            let variables = ["SUBGUARD_CONFIG": named, "SUBGUARD_CATALOGUE_IMPORT": "never"]
            #expect(try await check(installation, variables: variables)["workers"] == ["7", "file \(named)"])
            let settings = try await check(installation, ["--config", other], variables: variables)
            #expect(settings["workers"] == ["9", "file \(other)"])
            #expect(try await check(installation, variables: ["SUBGUARD_CONFIG": ""])["workers"] == ["16", "default"])
        }

        @Test func masksSecretsWhereverTheyComeFrom() async throws {
            let installation = try Installation()
            let url = "postgres://sub:p4ss-é-w0rd@db.example/sub?password=0ther"
            let secret = try installation.folder.write(url + "\n", to: "secret")
            let yaml = try installation.folder.write("database_url: '\(url)'\n", to: "secret.yaml")
            for (arguments, variables) in [
                ([], ["SUBGUARD_DATABASE_URL": url]), (["--database-url", url], [:]),
                (["--set", "database_url=\(url)"], [:]),
            ] as [([String], [String: String])] {
                let value = try await check(installation, arguments, variables: variables)["database_url"]
                #expect(value?[0] == "postgres://sub:***@db.example/sub?…")
            }
            // The variable set by every test would override the file and conflict with its `_FILE` variant.
            for (arguments, variable) in [(["--config", yaml], nil), ([], "SUBGUARD_DATABASE_URL_FILE")] {
                var variables = ["PATH": "/usr/bin:/bin"]
                if let variable { variables[variable] = secret }
                let process = try ChildProcess(
                    .server, ["config", "check"] + arguments, environment: variables, in: installation.folder)
                #expect(try await process.ending() == .exited(0))
                #expect(process.output.contains("postgres://sub:***@db.example/sub?…"))
                #expect(!process.output.contains("w0rd") && !process.output.contains("0ther"))
            }
        }

        @Test(arguments: [
            (["--set", "prot=8080"], "prot"), (["--prot", "8080"], "--prot"), (["--port", "65536"], "port"),
            (["--port", "80a"], "port"), (["--set", "log_level=loud"], "log_level"), (["--set", "port"], "--set"),
            (["--config", "missing.yaml"], "missing.yaml"), (["--database-url", "mysql://x"], "database_url"),
        ])
        func aBadFlagStopsTheStartAndIsNamed(arguments: [String], name: String) async throws {
            try await expectRefusal(arguments, [:], naming: name)
        }

        @Test(arguments: [
            ("SUBGUARD_PROT", "8080"), ("SUBGUARD_PORT", "-1"), ("SUBGUARD_PORT", ""), ("SUBGUARD_WORKERS", "0"),
            ("SUBGUARD_RATE_LIMIT_ENABLED", "yes"), ("SUBGUARD_LOG_FORMAT", "xml"),
            ("SUBGUARD_PORT_FILE", "/etc/hostname"), ("SUBGUARD_DATABASE_URL_FILE", "/nowhere"),
            ("SUBGUARD_DATABASE_URL", "sqlite:"),
        ])
        func aBadVariableStopsTheStartAndIsNamed(name: String, value: String) async throws {
            try await expectRefusal([], [name: value], naming: name)
        }

        @Test(arguments: [
            ("prot: 8080", "prot"), ("port: [1, {a: 2}]", "port"), ("port: 99999", "port"), ("- port", "mapping"),
            ("port: '", "YAML: line 1, "), ("port: 1\nhost: a\nport: 2", "given twice: port"),
            ("workers: 1\nlog_level: 12.34", "log_level"),
        ])
        func aBadFileStopsTheStartAndItsKeyIsNamed(yaml: String, name: String) async throws {
            let installation = try Installation()
            let file = try installation.folder.write(yaml, to: "bad.yaml")
            try await expectRefusal(["--config", file], [:], naming: name)
        }

        private func expectRefusal(
            _ arguments: [String], _ variables: [String: String], naming name: String
        ) async throws {
            for command in [["serve"], ["config", "check"]] {
                let installation = try Installation()
                let process = try installation.start(.server, command + arguments, variables: variables)
                guard case .exited(let status) = try await process.ending(withinSeconds: 20) else {
                    Issue.record("the command did not end by itself")
                    return
                }
                #expect(status != 0)
                #expect(process.output.isEmpty)
                #expect(process.errors.contains(name))
                #expect(!FileManager.default.fileExists(atPath: installation.storePath))
            }
        }
    }
}
