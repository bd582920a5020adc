import Catalogue
import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import TestKit
import Testing

extension ProgramTests {
    struct MigrateStoreCommandTests {
        private let store: MovedStore

        init() throws { store = try MovedStore() }

        /// The output of a copy with this many logos: a line per table and one for the logos, first for copying and
        /// then for comparing, and a summary.
        private func expectAccount(_ outcome: Installation.Outcome, logos: Int, into place: String) throws {
            #expect(outcome.succeeded, "\(outcome.errors)")
            let sum = try #require(
                outcome.output.wholeMatch(of: /copied and compared (\d+) rows, and (\d+) logos into (.*)\n/))
            #expect(sum.2 == "\(logos)")
            #expect(sum.3 == place)
            let copied = outcome.errors.matches(of: /(?m)^copied (\w+): (\d+) (?:rows|files)$/)
            let compared = outcome.errors.matches(of: /(?m)^compared (\w+): (\d+) (?:rows|files)$/)
            #expect(copied.count + compared.count == outcome.errorLines.count, "\(outcome.errors)")
            let rows = compared.filter { $0.1 != "logos" }.compactMap { Int($0.2) }.reduce(0, +)
            #expect(Int(sum.1) == rows)
            let names = compared.map { String($0.1) }
            #expect(Set(names).count == names.count)
            #expect(
                Set(names).isSuperset(of: ["logos", "user_pages", "event_blocks", "catalogue_items", "audit_entries"]))
            // Lines of tables with rows.
            for match in copied {
                #expect(compared.contains { $0.1 == match.1 && $0.2 == match.2 }, "\(match.0)")
            }
            #expect(copied.contains { $0.1 == "logos" && $0.2 == "\(logos)" })
        }

        @Test func everythingGoesThereAndBackAgain() async throws {
            let token = try await store.fill()
            let first = try await store.serve(store.file)
            let before = try StoreAnswers(first, token: token)
            #expect(before.logos.count == 2 && before.figures.count == 5 && before.audit.count > 3)
            #expect(try await first.stop() == .exited(0))

            try expectAccount(try await store.move(store.file, store.database), logos: 2, into: "the database")
            try await store.expectSound(store.database)
            let servers = [try await store.serve(store.database), try await store.serve(store.database)]
            for server in servers { #expect(try StoreAnswers(server, token: token) == before) }
            // A logo uploaded to one server is available on every server, and not in a folder.
            let path = try store.upload(2, to: "le-soir", servers[0], token: token)
            #expect(try servers[1].get(path).body == RepositoryFile.logo(2))
            #expect(!FileManager.default.fileExists(atPath: store.installation.folder.file("data")))
            let after = try StoreAnswers(servers[0], token: token)
            #expect(after.logos.count == 3)
            for server in servers { #expect(try await server.stop() == .exited(0)) }

            let back = "sqlite:\(store.installation.folder.file("back/subguard.sqlite"))"
            let logos = store.installation.folder.file("back/logos")
            try expectAccount(try await store.move(store.database, back), logos: 3, into: logos)
            #expect(try LogoFolder(path: logos).names().count == 3)
            try await store.expectSound(back)
            let last = try await store.serve(back)
            #expect(try StoreAnswers(last, token: token) == after)
            #expect(try await last.stop() == .exited(0))
        }

        @Test func logosLieWhereTheFlagSays() async throws {
            let token = try await store.fill()
            let (beside, mine) = (
                store.installation.folder.file("store/logos"), store.installation.folder.file("l'été “29”")
            )
            try FileManager.default.moveItem(atPath: beside, toPath: mine)
            let lost = try await store.move(store.file, store.database)
            #expect(lost.ending == .exited(1))
            #expect(lost.errors.contains("2 of 2 logos of the catalogue are not there"), "\(lost.errors)")
            #expect(lost.errors.contains("--logos") && lost.errors.contains("--skip-missing-logos"))
            try expectAccount(
                try await store.move(store.file, store.database, "--logos", mine), logos: 2, into: "the database")
            let back = "sqlite:\(store.installation.folder.file("back/subguard.sqlite"))"
            let other = store.installation.folder.file("other/logos")
            try expectAccount(try await store.move(store.database, back, "--logos", other), logos: 2, into: other)
            #expect(try LogoFolder(path: other).names() == LogoFolder(path: mine).names())
            let server = try await store.installation.serve(
                variables: ["SUBGUARD_DATABASE_URL": back, "SUBGUARD_LOGO_FOLDER": other])
            #expect(try StoreAnswers(server, token: token).logos.count == 2)
            #expect(try await server.stop() == .exited(0))
            // Skips missing logos on request.
            let rest = store.installation.folder.file("rest/subguard.sqlite")
            let skipped = try await store.move(store.file, "sqlite:\(rest)", "--skip-missing-logos")
            #expect(skipped.succeeded)
            #expect(skipped.errors.matches(of: /(?m)^skipped logo [0-9a-f]{64}\.png: its file is missing$/).count == 2)
            #expect(skipped.output.contains(" and 0 logos into "))
        }

        /// Two schemas in one PostgreSQL database count as two databases.
        @Test func goesIntoAnotherSchemaOfTheSameDatabase() async throws {
            let token = try await store.fill()
            #expect(try await store.move(store.file, store.database).succeeded)
            try store.execute("CREATE SCHEMA zwei", in: store.database)
            let second = "\(store.database)?options=-csearch_path%3Dzwei"
            try expectAccount(try await store.move(store.database, second), logos: 2, into: "the database")
            #expect(
                try store.texts("SELECT file_name FROM zwei.catalogue_logo_contents", in: store.database).count == 2)
            try await store.expectSound(second)
            let server = try await store.serve(second)
            #expect(try StoreAnswers(server, token: token).logos.count == 2)
            #expect(try await server.stop() == .exited(0))
        }

        // MARK: Refusals

        @Test func refusesWhatCannotBeMeantAndTouchesNothing() async throws {
            _ = try await store.fill()
            let before = try store.installation.storeBytes()
            let missing = store.installation.folder.file("none/subguard.sqlite")
            let twice = try TestDatabase.makePostgresDatabase()
            try await store.migrate(twice)
            let refusals: [(from: String, to: String, more: [String], words: [String])] = [
                (store.file, "sqlite:store/../store/subguard.sqlite", [], ["--to: it is the same database as --from"]),
                (twice, "\(twice)?application_name=other", [], ["--to: it is the same database as --from"]),
                ("sqlite:\(missing)", store.database, [], ["--from: there is no database at \(missing)"]),
                ("mysql://h/d", store.database, [], ["--from: a database URL starts with sqlite: or postgres://"]),
                (store.file, "subguard", [], ["--to: a database URL starts with sqlite: or postgres://"]),
                (
                    store.file, "postgres://zoe:geheim@127.0.0.1:1/subguard", [],
                    ["--to: postgres://zoe:***@127.0.0.1:1/subguard: no server responds there"]
                ),
                (store.database, "sqlite:\(missing)", [], ["the source needs migration", "subguardd migrate"]),
                (store.file, "sqlite:\(missing)", ["--logos", "logos"], ["--logos: ", "of one kind"]),
                (store.file, store.database, ["--logos", "nowhere"], ["--logos: there is no folder nowhere"]),
            ]
            for (from, to, more, words) in refusals {
                let process = try store.installation.start(
                    .server, ["migrate-store", "--from", from, "--to", to] + more, variables: [:])
                #expect(try await process.ending(withinSeconds: 60) == .exited(1), "\(from) \(to)")
                #expect(process.output.isEmpty)
                for word in words { #expect(process.errors.contains(word), "\(process.errors)") }
                #expect(!process.errors.contains("geheim"))
            }
            let usage = try await store.installation.run("migrate-store", "--from", store.file)
            #expect(usage.ending == .exited(64))
            #expect(usage.errors.contains("--from and --to are required"))
            #expect(try store.installation.storeBytes() == before)
            #expect(try store.tables(of: store.database).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: missing))
        }

        @Test func refusesATargetThatIsNotEmptyOrNotOurs() async throws {
            _ = try await store.fill()
            let used = try Installation()
            _ = try await used.run("migrate")
            try await used.importSmallCatalogue()
            let before = try used.storeBytes()
            let full = try await store.move(store.file, "sqlite:\(used.storePath)")
            #expect(full.ending == .exited(1))
            #expect(full.errors.contains("the target is not empty: there are rows in catalogue_items"))
            #expect(try used.storeBytes() == before)

            let theirs = try Installation()
            try theirs.execute("CREATE TABLE notes (body TEXT)")
            let notes = try theirs.storeBytes()
            let foreign = try await store.move(store.file, "sqlite:\(theirs.storePath)")
            #expect(foreign.ending == .exited(1))
            #expect(foreign.errors.contains("--to: it is a database of another program; nothing was written"))
            #expect(try theirs.storeBytes() == notes)

            try store.execute("CREATE TABLE notes (body TEXT)", in: store.database)
            let elsewhere = try await store.move(store.file, store.database)
            #expect(elsewhere.ending == .exited(1))
            #expect(elsewhere.errors.contains("--to: it is a database of another program; nothing was written"))
            #expect(try store.tables(of: store.database) == ["notes"])
        }

        @Test func refusesStoresOnWhichAServerRuns() async throws {
            _ = try await store.fill()
            let server = try await store.serve(store.file)
            let outcome = try await store.move(store.file, store.database)
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors.contains("--from: a server runs on \(store.installation.storePath); stop it first"))
            #expect(try store.tables(of: store.database).isEmpty)
            #expect(try await server.stop() == .exited(0))
        }

    }
}
