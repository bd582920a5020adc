import Foundation
import JSONWire
import SubGuardDomain
import TestKit
import Testing

extension ProgramTests {
    struct CatalogueCommandTests {
        @Test func importsTheStarterCatalogueOnceAndExportsItEqual() async throws {
            let installation = try await Installation.migrated()
            let drafts = try StarterCatalogue.drafts(StarterCatalogue.bytes())
            let first = try await installation.run("catalogue", "import", StarterCatalogue.path)
            #expect(first.succeeded)
            #expect(first.output == "inserted \(drafts.count), updated 0, unchanged 0, failed 0\n")
            let revision = try installation.integer("SELECT revision FROM catalogue_counters")
            let second = try await installation.run("catalogue", "import", StarterCatalogue.path)
            #expect(second.output == "inserted 0, updated 0, unchanged \(drafts.count), failed 0\n")
            #expect(try installation.integer("SELECT revision FROM catalogue_counters") == revision)

            let export = try await installation.run("catalogue", "export")
            #expect(export.succeeded)
            #expect(export.errors.isEmpty)
            let exported = try StarterCatalogue.drafts(Array(export.output.utf8))
            #expect(exported.count == drafts.count)
            #expect(Set(exported) == Set(drafts))
        }

        @Test func awkwardTextsSurviveTheRoundTrip() async throws {
            let (installation, copy) = (try await Installation.migrated(), try await Installation.migrated())
            try await installation.importSmallCatalogue()
            let export = try await installation.run("catalogue", "export").output
            let file = try copy.folder.write(export, to: "export.csv")
            #expect(try await copy.run("catalogue", "import", file).succeeded)
            #expect(try await copy.run("catalogue", "export").output == export)
            #expect(export.contains("Ciné “Séries”,netflix,streaming,13.49,EUR,monthly,,"))
            #expect(export.contains(",N|Nét flix\r\n"))
            #expect(export.contains("\"Presse, le soir\",le-soir,press,0.99,CHF,every:10d,"))
        }

        @Test func jsonKeepsIdsAndReadsBackEqual() async throws {
            let (installation, copy) = (try await Installation.migrated(), try await Installation.migrated())
            try await installation.importSmallCatalogue()
            let export = try await installation.run("catalogue", "export", "--format", "json").output
            #expect(export.contains(#""name":"Ciné “Séries”","slug":"netflix""#))
            let file = try copy.folder.write(export, to: "export.json")
            #expect(try await copy.run("catalogue", "import", file).output.hasPrefix("inserted 4,"))
            #expect(try await copy.run("catalogue", "export", "--format", "json").output == export)
            #expect(try await copy.run("catalogue", "export", "--format", "xml").ending == .exited(64))
        }

        @Test func tellsHowFarALongImportIsAndSkipsWhatItIsTold() async throws {
            let installation = try await Installation.migrated()
            let rows = (0..<2500).map { "Été \($0),s-\($0),press,\($0 == 2024 ? "12.345" : "12.34"),EUR,monthly" }
            let lines = ["name,slug,category,typical_amount,currency,billing_cycle"] + rows
            let file = try installation.folder.write(lines.joined(separator: "\n") + "\n", to: "many.csv")
            #expect(try await installation.run("catalogue", "import", file).failed)
            let outcome = try await installation.run("catalogue", "import", "--skip-bad", file)
            #expect(outcome.succeeded)
            #expect(outcome.output == "inserted 2499, updated 0, unchanged 0, failed 1\n")
            #expect(outcome.errorLines.contains("100 % of 2500 rows"))
            #expect(outcome.errorLines.contains { $0.contains("row 2026: #/line/2026/typical_amount") })
            #expect(try installation.integer("SELECT count(*) FROM catalogue_items") == 2499)
        }

        @Test func aRunningServerShowsWhatWasImported() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            #expect(try server.json("/api/v1/catalogue")?["items"]?.arrayValue?.isEmpty == true)
            try await installation.importSmallCatalogue()
            let isShown = try await holds {
                try server.json("/api/v1/catalogue")?["items"]?.arrayValue?.count == 4
            }
            #expect(isShown)
        }

        @Test func refusesAFileWithBadRowsWholeAndNamesEach() async throws {
            let installation = try await Installation.migrated()
            var lines = try StarterCatalogue.lines()
            let empty = String(repeating: ",", count: CatalogueColumn.all.count - 7)
            lines[6] = "Bad price,bad-price,press,12.345,EUR,monthly,https://example.com" + empty
            lines[29] = "Bad cycle,bad-cycle,press,12.34,EUR,sometimes,http://example.com" + empty
            lines[299] = lines[298]
            let file = try installation.folder.write(lines.joined(separator: "\n") + "\n", to: "bad.csv")
            for arguments in [["--dry-run", file], [file]] {
                let process = try installation.start(.server, ["catalogue", "import"] + arguments, variables: [:])
                #expect(try await process.ending() == .exited(1))
                let errors = process.errors.split(separator: "\n")
                #expect(errors.contains { $0.contains("row 7:") && $0.contains("typical_amount") })
                #expect(errors.contains { $0.contains("row 30:") && $0.contains("billing_cycle") })
                #expect(errors.contains { $0.contains("row 300:") && $0.contains("slug") })
                #expect(process.output.contains("nothing was written"))
            }
            #expect(try installation.integer("SELECT count(*) FROM catalogue_items") == 0)
            #expect(try installation.integer("SELECT count(*) FROM audit_entries") == 0)
        }

        @Test(arguments: [
            ("name,price\nA,1\n", "slug, category"), ("name,category\nA,food\n", "typical_amount"),
            ("", "empty"),
            ("name,slug,category,typical_amount,currency,billing_cycle\nA,\"a", "line 2"),
        ])
        func refusesAFileThatIsNoCatalogue(text: String, word: String) async throws {
            let installation = try await Installation.migrated()
            let file = try installation.folder.write(text, to: "bad.csv")
            let outcome = try await installation.run("catalogue", "import", file)
            #expect(outcome.failed)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(word))
        }

        @Test func aMissingFileIsNamed() async throws {
            let installation = try await Installation.migrated()
            let outcome = try await installation.run("catalogue", "import", "no/such.csv")
            #expect(outcome.failed)
            #expect(outcome.errors.contains("no/such.csv"))
        }

        @Test func aDryRunWritesNothing() async throws {
            let installation = try await Installation.migrated()
            let outcome = try await installation.run("catalogue", "import", "--dry-run", StarterCatalogue.path)
            #expect(outcome.succeeded)
            #expect(outcome.output.contains("nothing was written"))
            #expect(try installation.integer("SELECT count(*) FROM catalogue_items") == 0)
        }
    }
}
