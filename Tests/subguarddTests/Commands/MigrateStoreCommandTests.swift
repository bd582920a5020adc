import Backend
import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import TestKit
import Testing

extension ProgramTests {
    struct MigrateStoreCommandTests {
        private let installation: Installation
        /// Of an empty database.
        private let database: String

        init() throws {
            installation = try Installation()
            database = try TestDatabase.makePostgresDatabase()
        }

        private var file: String { "sqlite:\(installation.storePath)" }

        private func move(_ from: String, _ to: String, _ more: String...) async throws -> Installation.Outcome {
            let process = try installation.start(
                .server, ["migrate-store", "--from", from, "--to", to] + more, variables: [:])
            let ending = try await process.ending(withinSeconds: 120)
            return Installation.Outcome(ending: ending, output: process.output, errors: process.errors)
        }

        private func serve(_ store: String) async throws -> RunningServer {
            try await installation.serve(variables: ["SUBGUARD_DATABASE_URL": store])
        }

        private static func picture(_ number: Int) throws -> [UInt8] {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
            return Array(try Data(contentsOf: root.appending(path: "Fuzzing/Corpus/logo/00\(number)")))
        }

        /// Gives an item a logo and returns its path.
        private func upload(
            _ number: Int, to slug: String, _ server: RunningServer, token: String
        ) throws -> String {
            let items = try server.json("/api/v1/catalogue?limit=500")?["items"]?.arrayValue ?? []
            let id = try #require(items.first { $0["slug"]?.stringValue == slug }?["id"]?.stringValue)
            let picture = try Self.picture(number)
            let head =
                "PUT /api/v1/admin/catalogue/\(id)/logo HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(token)\r\n"
                + "Content-Length: \(picture.count)\r\n\r\n"
            let answer = try RawClient.exchange(server.port, Array(head.utf8) + picture)
            #expect(answer.status == 200, "\(answer.text)")
            return try #require(try JSONValue.parse(answer.body).objectValue?["logo_url"]?.stringValue)
        }

        /// An SQLite store with something in most tables, two logos beside it. Returns an owner's token.
        private func fill() async throws -> String {
            _ = try await installation.run("migrate")
            try await installation.importSmallCatalogue()
            let token = try await installation.makeToken(name: "Zoë “29” 🎬")
            let server = try await serve(file)
            var maker = EventBatchMaker(seed: 29)
            for _ in 0..<20 {
                _ = try RawClient.exchange(
                    server.port, RequestText.post("/api/v1/analytics", maker.make(count: 60).body))
            }
            let suggestion = #"{"id":"0b54ad4e-29f2-7c12-8a34-5be6a0290012","name":"L'été “29” 🎬"}"#
            _ = try RawClient.exchange(server.port, RequestText.post("/api/v1/suggestions", suggestion.utf8))
            _ = try upload(0, to: "netflix", server, token: token)
            _ = try upload(1, to: "aerzte", server, token: token)
            #expect(try await server.stop() == .exited(0))
            return token
        }

        private func expectSound(_ store: String) async throws {
            for command in [["figures", "verify"], ["audit", "verify"]] {
                let process = try installation.start(.server, command, variables: ["SUBGUARD_DATABASE_URL": store])
                #expect(try await process.ending(withinSeconds: 60) == .exited(0), "\(process.errors)")
            }
        }

        /// What the command says of a move with so many logos: a line a table and one for the logos, copied, then compared,
        /// and the sum of it.
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
            #expect(Set(names).isSuperset(of: ["logos", "users", "event_blocks", "catalogue_items", "audit_entries"]))
            // Of tables in which something was.
            for match in copied {
                #expect(compared.contains { $0.1 == match.1 && $0.2 == match.2 }, "\(match.0)")
            }
            #expect(copied.contains { $0.1 == "logos" && $0.2 == "\(logos)" })
        }

        @Test func everythingGoesThereAndBackAgain() async throws {
            let token = try await fill()
            let first = try await serve(file)
            let before = try StoreAnswers(first, token: token)
            #expect(before.logos.count == 2 && before.figures.count == 5 && before.audit.count > 3)
            #expect(try await first.stop() == .exited(0))

            try expectAccount(try await move(file, database), logos: 2, into: "the database")
            try await expectSound(database)
            let servers = [try await serve(database), try await serve(database)]
            for server in servers { #expect(try StoreAnswers(server, token: token) == before) }
            // A logo that one server takes, every server has, and nothing lies in a folder.
            let path = try upload(2, to: "le-soir", servers[0], token: token)
            #expect(try servers[1].get(path).body == Self.picture(2))
            #expect(!FileManager.default.fileExists(atPath: installation.folder.file("data")))
            let after = try StoreAnswers(servers[0], token: token)
            #expect(after.logos.count == 3)
            for server in servers { #expect(try await server.stop() == .exited(0)) }

            let back = "sqlite:\(installation.folder.file("back/subguard.sqlite"))"
            let logos = installation.folder.file("back/logos")
            try expectAccount(try await move(database, back), logos: 3, into: logos)
            #expect(LogoFolder(path: logos).names().count == 3)
            try await expectSound(back)
            let last = try await serve(back)
            #expect(try StoreAnswers(last, token: token) == after)
            #expect(try await last.stop() == .exited(0))
        }

        @Test func logosLieWhereTheFlagSays() async throws {
            let token = try await fill()
            let (beside, mine) = (installation.folder.file("store/logos"), installation.folder.file("l'été “29”"))
            try FileManager.default.moveItem(atPath: beside, toPath: mine)
            let lost = try await move(file, database)
            #expect(lost.ending == .exited(1))
            #expect(lost.errors.contains("2 of 2 logos of the catalogue are not there"), "\(lost.errors)")
            #expect(lost.errors.contains("--logos") && lost.errors.contains("--skip-missing-logos"))
            try expectAccount(
                try await move(file, database, "--logos", mine), logos: 2, into: "the database")
            let back = "sqlite:\(installation.folder.file("back/subguard.sqlite"))"
            let other = installation.folder.file("other/logos")
            try expectAccount(try await move(database, back, "--logos", other), logos: 2, into: other)
            #expect(LogoFolder(path: other).names() == LogoFolder(path: mine).names())
            let server = try await installation.serve(
                variables: ["SUBGUARD_DATABASE_URL": back, "SUBGUARD_LOGO_FOLDER": other])
            #expect(try StoreAnswers(server, token: token).logos.count == 2)
            #expect(try await server.stop() == .exited(0))
            // Without what is nowhere, when that is what is wanted.
            let rest = installation.folder.file("rest/subguard.sqlite")
            let skipped = try await move(file, "sqlite:\(rest)", "--skip-missing-logos")
            #expect(skipped.succeeded)
            #expect(skipped.errors.matches(of: /(?m)^left out, as it is nowhere: logo [0-9a-f]{64}\.png$/).count == 2)
            #expect(skipped.output.contains(" and 0 logos into "))
        }

        /// Two stores side by side, which are two although they are in one database.
        @Test func goesIntoAnotherSchemaOfTheSameDatabase() async throws {
            let token = try await fill()
            #expect(try await move(file, database).succeeded)
            try execute("CREATE SCHEMA zwei", in: database)
            let second = "\(database)?options=-csearch_path%3Dzwei"
            try expectAccount(try await move(database, second), logos: 2, into: "the database")
            #expect(try texts("SELECT file_name FROM zwei.catalogue_logo_contents", in: database).count == 2)
            try await expectSound(second)
            let server = try await serve(second)
            #expect(try StoreAnswers(server, token: token).logos.count == 2)
            #expect(try await server.stop() == .exited(0))
        }

        // MARK: Refusals

        @Test func refusesWhatCannotBeMeantAndTouchesNothing() async throws {
            _ = try await fill()
            let before = try installation.storeBytes()
            let missing = installation.folder.file("none/subguard.sqlite")
            let twice = try TestDatabase.makePostgresDatabase()
            try await migrate(twice)
            let refusals: [(from: String, to: String, more: [String], words: [String])] = [
                (file, "sqlite:store/../store/subguard.sqlite", [], ["--to: it is the store that --from names"]),
                (twice, "\(twice)?application_name=other", [], ["--to: it is the store that --from names"]),
                ("sqlite:\(missing)", database, [], ["--from: there is no store at \(missing)"]),
                ("mysql://h/d", database, [], ["--from: a database URL starts with sqlite: or postgres://"]),
                (file, "subguard", [], ["--to: a database URL starts with sqlite: or postgres://"]),
                (
                    file, "postgres://zoe:geheim@127.0.0.1:1/subguard", [],
                    ["--to: postgres://zoe:***@127.0.0.1:1/subguard: nobody answers there"]
                ),
                (database, "sqlite:\(missing)", [], ["the source lacks migrations", "subguardd migrate"]),
                (file, "sqlite:\(missing)", ["--logos", "logos"], ["--logos: ", "of one kind"]),
                (file, database, ["--logos", "nowhere"], ["--logos: there is no folder nowhere"]),
            ]
            for (from, to, more, words) in refusals {
                let process = try installation.start(
                    .server, ["migrate-store", "--from", from, "--to", to] + more, variables: [:])
                #expect(try await process.ending(withinSeconds: 60) == .exited(1), "\(from) \(to)")
                #expect(process.output.isEmpty)
                for word in words { #expect(process.errors.contains(word), "\(process.errors)") }
                #expect(!process.errors.contains("geheim"))
            }
            let usage = try await installation.run("migrate-store", "--from", file)
            #expect(usage.ending == .exited(64))
            #expect(usage.errors.contains("--from and --to must be given"))
            #expect(try installation.storeBytes() == before)
            #expect(try tables(of: database).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: missing))
        }

        @Test func refusesATargetThatIsNotEmptyOrNotOurs() async throws {
            _ = try await fill()
            let used = try Installation()
            _ = try await used.run("migrate")
            try await used.importSmallCatalogue()
            let before = try used.storeBytes()
            let full = try await move(file, "sqlite:\(used.storePath)")
            #expect(full.ending == .exited(1))
            #expect(full.errors.contains("the target is not empty: there are rows in catalogue_items"))
            #expect(try used.storeBytes() == before)

            let theirs = try Installation()
            try theirs.execute("CREATE TABLE notes (body TEXT)")
            let notes = try theirs.storeBytes()
            let foreign = try await move(file, "sqlite:\(theirs.storePath)")
            #expect(foreign.ending == .exited(1))
            #expect(foreign.errors.contains("--to: it is a database of another program; nothing was written"))
            #expect(try theirs.storeBytes() == notes)

            try execute("CREATE TABLE notes (body TEXT)", in: database)
            let elsewhere = try await move(file, database)
            #expect(elsewhere.ending == .exited(1))
            #expect(elsewhere.errors.contains("--to: it is a database of another program; nothing was written"))
            #expect(try tables(of: database) == ["notes"])
        }

        @Test func refusesStoresOnWhichAServerRuns() async throws {
            _ = try await fill()
            let server = try await serve(file)
            let outcome = try await move(file, database)
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors.contains("--from: a server runs on \(installation.storePath); stop it first"))
            #expect(try tables(of: database).isEmpty)
            #expect(try await server.stop() == .exited(0))
        }

        // MARK: Interruption

        /// Killed among the logos, then among the tables; what was there by then is not written again.
        @Test func goesOnWhereItWasKilled() async throws {
            let token = try await fill()
            try addLogos(45)
            try await migrate(database)
            try execute(
                """
                CREATE FUNCTION forever() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF TG_TABLE_NAME = 'users' OR (SELECT count(*) FROM catalogue_logo_contents) >= 20 THEN
                        PERFORM pg_sleep(600);
                    END IF;
                    RETURN NEW;
                END $$
                """, in: database)
            let logos = "SELECT file_name || ' ' || xmin::text FROM catalogue_logo_contents ORDER BY 1"
            let items = "SELECT slug || ' ' || xmin::text FROM catalogue_items ORDER BY 1"

            try hang(onInsertInto: "catalogue_logo_contents")
            try await killMove(to: database) { _ in try texts(logos, in: database).count == 20 }
            try execute("DROP TRIGGER forever ON catalogue_logo_contents", in: database)
            try await expectRefusalToServe(database)
            let someLogos = try texts(logos, in: database)
            #expect(try texts(items, in: database).isEmpty)

            try hang(onInsertInto: "users")
            try await killMove(to: database) { $0.contains("copied event_blocks") }
            try execute("DROP TRIGGER forever ON users", in: database)
            try await expectRefusalToServe(database)
            let (allLogos, allItems) = (try texts(logos, in: database), try texts(items, in: database))
            #expect(allLogos.count == 47 && allItems.count == 4)
            #expect(Set(allLogos).isSuperset(of: someLogos))

            let outcome = try await move(file, database)
            #expect(outcome.succeeded, "\(outcome.errors)")
            #expect(outcome.output.contains(" and 47 logos into the database"))
            #expect(try texts(logos, in: database) == allLogos)
            #expect(try texts(items, in: database) == allItems)
            try await expectSound(database)
            let server = try await serve(database)
            #expect(try StoreAnswers(server, token: token).logos.count == 2)
            #expect(try await server.stop() == .exited(0))
        }

        @Test func goesOnInAFileAsWell() async throws {
            let token = try await fill()
            #expect(try await move(file, database).succeeded)
            let target = try await Installation.migrated()
            try target.execute([
                "CREATE VIEW forever AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
                "CREATE TRIGGER forever BEFORE INSERT ON users BEGIN SELECT count(*) FROM forever; END",
            ])
            let process = try installation.start(
                .server, ["migrate-store", "--from", database, "--to", "sqlite:\(target.storePath)"], variables: [:])
            #expect(try await holds(withinSeconds: 60) { process.errors.contains("copied event_blocks") })
            process.send(signal: SIGKILL)
            #expect(try await process.ending() == .killed(signal: SIGKILL))
            try target.execute(["DROP TRIGGER forever", "DROP VIEW forever"])
            try await expectRefusalToServe("sqlite:\(target.storePath)")
            let outcome = try await move(database, "sqlite:\(target.storePath)")
            try expectAccountOfTheRest(outcome)
            try await expectSound("sqlite:\(target.storePath)")
            let server = try await serve("sqlite:\(target.storePath)")
            #expect(try StoreAnswers(server, token: token).logos.count == 2)
            #expect(try await server.stop() == .exited(0))
        }

        /// Tables that were whole are compared and not copied again.
        private func expectAccountOfTheRest(_ outcome: Installation.Outcome) throws {
            #expect(outcome.succeeded, "\(outcome.errors)")
            #expect(!outcome.errors.contains("copied event_blocks"))
            #expect(!outcome.errors.contains("copied logos"))
            #expect(outcome.errors.contains("compared event_blocks"))
            #expect(outcome.errors.contains("compared logos: 2 files"))
            #expect(outcome.errors.contains("copied users"))
        }

        /// Logos that an item showed one after the other.
        private func addLogos(_ count: Int) throws {
            try installation.withStore { store in
                let context = BackendContext(
                    store: store, now: { UTCInstant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)) },
                    random: { UInt64.random(in: .min ... .max) })
                let catalogue = CatalogueStore(context: context)
                let folder = LogoFolder(path: installation.folder.file("store/logos"))
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

        private func migrate(_ store: String) async throws {
            let outcome = try await installation.run("migrate", variables: ["SUBGUARD_DATABASE_URL": store])
            #expect(outcome.succeeded, "\(outcome.errors)")
        }

        private func hang(onInsertInto table: String) throws {
            try execute(
                "CREATE TRIGGER forever BEFORE INSERT ON \(table) FOR EACH ROW EXECUTE FUNCTION forever()", in: database
            )
        }

        /// Starts a copy, kills it when `condition` holds for what it wrote, and lets the database know.
        private func killMove(to target: String, when condition: (String) throws -> Bool) async throws {
            let process = try installation.start(
                .server, ["migrate-store", "--from", file, "--to", target], variables: [:])
            let came = try await holds(withinSeconds: 60) { try process.hasEnded || condition(process.errors) }
            #expect(came && !process.hasEnded, "\(process.errors)")
            process.send(signal: SIGKILL)
            #expect(try await process.ending() == .killed(signal: SIGKILL))
            // PostgreSQL notices it only when it has slept.
            let others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            let areGone = try await holds {
                _ = try texts("SELECT pg_terminate_backend(pid)::text \(others)", in: target)
                return try texts("SELECT pid::text \(others)", in: target).isEmpty
            }
            #expect(areGone)
        }

        private func expectRefusalToServe(_ store: String) async throws {
            for command in ["serve", "backup"] {
                let outcome = try await installation.run(
                    command, variables: ["SUBGUARD_DATABASE_URL": store, "SUBGUARD_PORT": "0"])
                #expect(outcome.ending == .exited(1))
                #expect(
                    outcome.errors.contains("the store is an unfinished copy of another one"), "\(outcome.errors)")
            }
        }

        // MARK: The database from outside

        private func with<Result>(_ url: String, _ body: (PostgresStore) throws -> Result) throws -> Result {
            let store = try PostgresStore(url: url)
            defer { try? store.close() }
            return try body(store)
        }

        private func execute(_ statement: String, in url: String) throws {
            try with(url) { store in
                _ = try store.write { try $0.execute(statement) }
            }
        }

        private func texts(_ sql: String, in url: String) throws -> [String] {
            try with(url) { store in try store.read { try $0.query(sql) { try $0.text(0) } } }
        }

        private func tables(of url: String) throws -> [String] {
            try with(url) { store in try store.read { try $0.tableNames(.postgres) } }
        }
    }
}
