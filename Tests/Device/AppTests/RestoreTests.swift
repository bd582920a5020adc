import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// A backup is compared with what is there before it is restored, from the list or as a file.
@Suite struct RestoreTests {
    private func id(in page: String) throws -> String {
        let match = try #require(page.firstMatch(of: try Regex("name=\"id\" value=\"([^\"]*)\"")))
        return String(try #require(match.output[1].substring))
    }

    @Test(arguments: DisplayLanguage.allCases)
    func aFileIsComparedWithWhatIsThere(language: DisplayLanguage) throws {
        let app = try AppFixture(language: language)
        let kept = try app.add("Netflix", [.amount: "13.49"])
        let gone = try app.add("L'Été “26” <b> 🎉", [.amount: "5"])
        let sealed = try app.store.backups.make(passphrase: "é🎉", at: app.moment)
        app.advance(seconds: 43_200)
        _ = try app.store.subscriptions.edit(kept, [.amount: "15.99"], at: app.moment)
        try app.store.subscriptions.delete(gone, at: app.moment)
        try app.add("Neu", [.amount: "9.99"])

        let form = try app.get("/backups").text
        #expect(form.contains("action=\"/backups/restore\"") && form.contains("restore-passphrase"))
        for wrong in ["", "no"] {
            let refused = try app.send("/backups/restore", [("passphrase", wrong)], "b.json", sealed)
            #expect(refused.status == 422 && refused.text.contains("role=\"alert\""))
        }
        let page = try app.send("/backups/restore", [("passphrase", "é🎉")], "<b>.json", sealed).text
        let isFrench = language == .french
        for words in isFrench
            ? ["Disparaîtrait", "Reviendrait", "Redeviendrait comme avant", "13,49", "Sauvegarde du 20/11/2026 11:00"]
            : ["Would disappear", "Would come back", "Would change back", "€13.49", "Backup of 2026-11-20 11:00"]
        { #expect(page.contains(words), "\(words)") }
        #expect(page.contains("Neu") && page.contains("Été “26” &lt;b") && !page.contains("<b> 🎉"))
        #expect(page.contains("price: €15.99 → €13.49") || isFrench)
        #expect(try app.names().sorted() == ["Netflix", "Neu"], "nothing is done before")

        let accepted = try app.post("/backups/restore/accept", [("id", try id(in: page))])
        #expect(accepted.status == 303)
        #expect(try app.names().sorted() == ["L'Été “26” <b> 🎉", "Netflix"])
        #expect(try app.store.backups.list().contains { $0.kind == .beforeRestore })
        #expect(try app.get(try #require(accepted["Location"])).text.contains("action=\"/undo\""))
        let again = try app.send("/backups/restore", [("passphrase", "é🎉")], "b.json", sealed).text
        #expect(again.contains(isFrench ? "exactement ce qui est là" : "exactly what is here now"))
        #expect(!again.contains("class=\"danger\""))
        let entry = try #require(try app.store.journal.entries(at: app.moment).first)
        #expect(try app.post("/undo", [("number", "\(entry.id)"), ("back", "/")]).status == 303)
        #expect(try app.names().sorted() == ["Netflix", "Neu"])
    }

    @Test func whatWasChangedSinceTheComparisonIsShownFirst() throws {
        let app = try AppFixture()
        try app.add("Netflix")
        let backup = try app.store.backups.make(passphrase: nil, at: app.moment)
        let page = try app.send("/backups/restore", [("passphrase", "")], "b.json", backup).text
        try app.add("Meanwhile")
        let form = [("id", try id(in: page))]
        let refused = try app.post("/backups/restore/accept", form)
        #expect(refused.status == 409 && refused.text.contains("Something was changed since you looked."))
        #expect(refused.text.contains("Meanwhile") && refused.text.contains("Would disappear"))
        #expect(try app.names().sorted() == ["Meanwhile", "Netflix"])
        #expect(try app.post("/backups/restore/accept", [("id", try id(in: refused.text))]).status == 303)
        #expect(try app.names() == ["Netflix"])
    }

    /// After the form was read, before its restore is written.
    @Test(arguments: ["restore", "merge"])
    func whatAnotherProgramChangesAtTheSameTimeIsShownFirst(what: String) throws {
        let app = try AppFixture()
        try app.add("Netflix")
        let other = try AppFixture()
        try other.add("New")
        let backup = try other.store.backups.make(at: other.moment)
        let page = try app.send("/backups/\(what)", [("passphrase", "")], "b.json", backup).text
        let form = [("id", try self.id(in: page))]
        let program = try DeviceStore(path: app.store.path, now: app.moment.now)
        defer { try? program.close() }
        let (folder, moment) = (app.store.backups.folder, app.moment)
        let isWriting = DispatchSemaphore(value: 0)
        let hasWritten = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? program.write(at: moment) { unit in
                isWriting.signal()
                let end = ContinuousClock.now + .seconds(20)
                while PrivateFolder.names(in: folder).allSatisfy({ !$0.hasSuffix(".json") }), ContinuousClock.now < end
                { Thread.sleep(forTimeInterval: 0.01) }
                try unit.session.execute("UPDATE subscriptions SET name = 'Meanwhile'", [])
            }
            hasWritten.signal()
        }
        isWriting.wait()
        let refused = try app.post("/backups/\(what)/accept", form)
        hasWritten.wait()
        #expect(refused.status == 409 && refused.text.contains("Something was changed since you looked."))
        #expect(try app.store.subscriptions.all().map(\.name) == ["Meanwhile"] && app.store.backups.list().isEmpty)
        let again = try app.post("/backups/\(what)/accept", [("id", try self.id(in: refused.text))])
        #expect(again.status == 303)
        #expect(try app.names().contains("New"))
    }

    /// A file of the list that is another one by now is shown before it is restored.
    @Test func aFileThatWasReplacedSinceIsShownFirst() throws {
        let app = try AppFixture()
        try app.add("Netflix")
        let made = try #require(try app.store.backups.makeIfDue(at: app.moment))
        let page = try app.get("/backups/restore?name=" + made).text
        let other = try AppFixture()
        try other.add("Foreign “26” 🎉")
        try Data(other.store.backups.make(passphrase: nil, at: other.moment)).write(to: URL(fileURLWithPath: made))
        let refused = try app.post("/backups/restore/accept", [("id", try id(in: page))])
        #expect(refused.status == 409 && refused.text.contains("Foreign “26” 🎉"))
        #expect(try app.names() == ["Netflix"])
    }

    @Test func whatIsNoBackupIsRefusedAndBelongsToItsBrowser() throws {
        let app = try AppFixture()
        try app.add("Stays")
        for bytes in [[], Array("PK\u{3}\u{4}".utf8), Array("{}".utf8), [UInt8](repeating: 0xFF, count: 100_000)] {
            let refused = try app.send("/backups/restore", [("passphrase", "")], "b.json", bytes)
            #expect(refused.status == 422 && refused.text.contains("role=\"alert\""))
            #expect(refused.text.utf8.count < 20_000)
        }
        let long = [UInt8](repeating: UInt8(ascii: "["), count: 20 << 20)
        #expect(try app.send("/backups/restore", [], "b.json", long).status == 413)
        for odd in ["", "x", "<b>", UUID().uuidString] {
            #expect(try app.post("/backups/restore/accept", [("id", odd)]).status == 400, "\(odd)")
        }
        #expect(try app.names() == ["Stays"])
        let page = try app.send(
            "/backups/restore", [("passphrase", "")], "b.json", try app.store.backups.make(at: app.moment)
        ).text
        app.advance(seconds: 15 * 60)
        #expect(try app.post("/backups/restore/accept", [("id", try id(in: page))]).status == 400)
    }
}
