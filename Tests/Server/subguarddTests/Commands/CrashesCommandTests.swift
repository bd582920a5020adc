import TestKit
import Testing

extension ProgramTests {
    struct CrashesCommandTests {
        private static let id = "5f3a1c9e-7b42-3d8a-9c01-2e4f6a8b0d13"
        private static let list = """
            UUID: \(id.uppercased()) (arm64) build/Ma “Boutique”.app/Shop
            0000000100000000 T __mh_execute_header
            0000000100002000 T _total
            0000000100003000 t _$s4Shop3payyyF

            """

        @Test func addsListsAndRemovesSymbols() async throws {
            let installation = try await Installation.migrated()
            let file = try installation.folder.write(Self.list, to: "App.symbols")
            let added = try await installation.run("crashes", "symbols", "add", file)
            #expect(added.errors.isEmpty)
            #expect(added.output == "\(Self.id) Shop: 2 functions; groups named 0, merged 0\n")
            let again = try await installation.run("crashes", "symbols", "add", file)
            #expect(again.output == "\(Self.id) Shop: 2 functions, replaced; groups named 0, merged 0\n")
            let listed = try await installation.run("crashes", "symbols", "list").output
            #expect(listed.hasPrefix("\(Self.id) Shop arm64 nm 2 functions, "))
            let removed = try await installation.run("crashes", "symbols", "remove", Self.id.uppercased())
            #expect(removed.succeeded)
            #expect(try await installation.run("crashes", "symbols", "list").output.isEmpty)
            #expect(
                try installation.integer("SELECT count(*) FROM audit_entries WHERE action LIKE 'crash.symbols%'") == 3)
        }

        /// One bad file does not keep the others from it, and changes nothing.
        @Test func namesWhatIsWrong() async throws {
            let installation = try await Installation.migrated()
            let good = try installation.folder.write(Self.list, to: "good.symbols")
            let bad = try installation.folder.write("0000000000001000 T _a\nnonsense here\n", to: "bad.symbols")
            let nameless = try installation.folder.write("0000000000001000 T _a\n", to: "nameless.symbols")
            let outcome = try await installation.run("crashes", "symbols", "add", bad, nameless, good)
            #expect(outcome.ending == .exited(1))
            #expect(outcome.output.hasPrefix("\(Self.id) Shop: 2 functions"))
            #expect(outcome.errors.contains("\(bad): #: Line 2 is not one of nm"))
            #expect(outcome.errors.contains("\(nameless): #/debug_id: "))
            #expect(try installation.integer("SELECT count(*) FROM crash_symbol_files") == 1)
            for (option, value, file) in [("--debug-id", "nonsense", good), ("--base", "12", good)] {
                let refused = try await installation.run("crashes", "symbols", "add", option, value, file)
                #expect(refused.ending == .exited(64), "\(option)")
            }
            let several = try await installation.run("crashes", "symbols", "add", "--debug-id", Self.id, good, bad)
            #expect(several.ending == .exited(64))
            let missing = try await installation.run("crashes", "symbols", "add", "/nowhere/App.symbols")
            #expect(missing.ending == .exited(1))
            #expect(missing.errors.contains("/nowhere/App.symbols cannot be read"))
            let unknown = try await installation.run("crashes", "symbols", "remove", Self.id, "nonsense")
            #expect(unknown.ending == .exited(1))
            #expect(unknown.errors.contains("nonsense: there is no such symbol file"))
        }
    }
}
