import Foundation
import SQLDatabase
import TestKit
import Testing

/// Runs `Scripts/generate` on a small test repository.
@Suite struct GenerateScriptTests {
    private static let swiftFile = "Sources/Server/Operations/Migrations/SQLiteMigrations.swift"
    private static let openAPIFile = "docs/openapi.json"

    private let root: TemporaryFolder

    init() throws {
        root = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: root["Migrations/sqlite"], withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: root["docs"], withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws { try root.write(Array(text.utf8), to: name) }

    private func text(of name: String) throws -> String { String(decoding: try root.bytes(of: name), as: UTF8.self) }

    private func generate(_ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = RepositoryFile.url("Scripts/generate")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SUBGUARD_GENERATE_ROOT": root.path]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test func writesEachMigrationWithItsChecksum() throws {
        let first = "-- L'été 🙂 \"\"\"# \\#(x) \\n\nCREATE TABLE a (x TEXT);\n"
        try write(first, to: "Migrations/sqlite/0001-first-step.sql")
        try write("SELECT 1;\n\n", to: "Migrations/sqlite/0002-b.sql")
        #expect(try generate().status == 0)
        let swift = try text(of: Self.swiftFile)
        #expect(swift.contains("number: 1, slug: \"first-step\",\n            sql: ##\"\"\"\n\(first)\n\"\"\"##,"))
        #expect(swift.contains("checksum: \"\(Migration.checksum(of: first))\""))
        #expect(swift.contains("number: 2, slug: \"b\",\n            sql: #\"\"\"\nSELECT 1;\n\n\n\"\"\"#,"))
        #expect(swift.contains("checksum: \"\(Migration.checksum(of: "SELECT 1;\n\n"))\""))
        #expect(swift.hasPrefix("// swift-format-ignore-file\n"))
    }

    @Test func writesNothingWhenUpToDate() throws {
        try write("SELECT 1;\n", to: "Migrations/sqlite/0001-a.sql")
        #expect(try generate().output == "wrote \(Self.swiftFile)\n")
        let before = try root.bytes(of: Self.swiftFile)
        #expect(try generate() == (0, ""))
        #expect(try generate("--check") == (0, ""))
        #expect(try root.bytes(of: Self.swiftFile) == before)
    }

    @Test func writesTheDescriptionOfTheInterfaceThatTheBuildOfTheTestsPrints() throws {
        try write("SELECT 1;\n", to: "Migrations/sqlite/0001-a.sql")
        #expect(try generate().output == "wrote \(Self.swiftFile)\n")
        let folder = root[".build/tests/release"]
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write("#!/bin/sh\necho \"{\\\"command\\\": \\\"$1\\\"}\"\n", to: ".build/tests/release/subguardd")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/subguardd")
        let check = try generate("--check")
        #expect(check.status == 1)
        #expect(check.output.contains(Self.openAPIFile))
        #expect(!check.output.contains(Self.swiftFile))
        #expect(try generate().status == 0)
        #expect(try generate("--check").status == 0)
        #expect(try text(of: Self.openAPIFile) == "{\"command\": \"openapi\"}\n")
    }

    /// What is compared is the content, because another gzip writes other bytes.
    @Test func embedsTheCatalogueAndComparesItsContent() throws {
        let file = "Sources/Device/Client/Catalogue/EmbeddedCatalogue.swift"
        try write("SELECT 1;\n", to: "Migrations/sqlite/0001-a.sql")
        for folder in ["Config", "Sources/Device/Client"] {
            try FileManager.default.createDirectory(atPath: root[folder], withIntermediateDirectories: true)
        }
        try write("name,slug\nCiné “26” 🎉,cine\n", to: "Config/catalogue.csv")
        #expect(try generate("--check").output.contains(file))
        #expect(try generate().status == 0)
        #expect(try generate("--check") == (0, ""))
        let swift = try text(of: file)
        #expect(swift.contains("static let itemCount = 1\n") && swift.contains(/day = "\d{4}-\d\d-\d\d"/))
        // The day is that of the content, so nothing is written again.
        try write(swift.replacing(/day = "[^"]*"/, with: "day = \"2026-01-31\""), to: file)
        #expect(try generate() == (0, "") && text(of: file).contains("2026-01-31"))
        try write("name,slug\n", to: "Config/catalogue.csv")
        #expect(try generate("--check").status == 1)
    }

    @Test func namesAStaleFileAndLeavesIt() throws {
        try write("SELECT 1;\n", to: "Migrations/sqlite/0001-a.sql")
        let missing = try generate("--check")
        #expect(missing.status == 1)
        #expect(missing.output.contains(Self.swiftFile))
        #expect(!FileManager.default.fileExists(atPath: root[Self.swiftFile]))
        _ = try generate()
        let before = try root.bytes(of: Self.swiftFile)
        try write("SELECT 2;\n", to: "Migrations/sqlite/0001-a.sql")
        #expect(try generate("--check").status == 1)
        #expect(try root.bytes(of: Self.swiftFile) == before)
    }

    @Test(arguments: [
        ("0002-a.sql", "SELECT 1;\n"), ("1-a.sql", "SELECT 1;\n"), ("0001-A b.sql", "SELECT 1;\n"),
        ("0001.sql", "SELECT 1;\n"),
        ("0001-a.sql", "SELECT 1;\r\n"), ("0001-a.sql", "SELECT 1;\u{0}\n"), ("0001-a.sql", "SELECT 1;"),
        ("0001-a.sql", ""),
    ])
    func refusesWhatALiteralCannotHold(_ name: String, _ sql: String) throws {
        try write(sql, to: "Migrations/sqlite/" + name)
        let result = try generate()
        #expect(result.status == 2)
        #expect(result.output.contains(name))
        #expect(!FileManager.default.fileExists(atPath: root[Self.swiftFile]))
    }

    @Test func refusesOtherArguments() throws {
        #expect(try generate("--force").status == 64)
        #expect(try generate("--check", "--check").status == 64)
    }
}
