import Foundation
import JSONWire
import TestKit
import Testing

/// Emoji, initials, colours and photos of people are set, shown, backed up, merged and undone.
@Suite struct AvatarCommandTests {
    /// A picture with a note of where it was taken.
    private static func placed(_ jpeg: [UInt8]) -> [UInt8] {
        let note = Array("Exif\0\0Zoë, 48.8584 N 2.2945 E".utf8)
        return Array(jpeg[..<2]) + [0xFF, 0xE1, 0, UInt8(note.count + 2)] + note + Array(jpeg[2...])
    }

    private func file(_ client: Client, _ name: String, _ bytes: [UInt8]) throws -> String {
        let path = client.folder.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func anEmojiInitialsAndAColourAreSetAndShown() throws {
        let client = try Client()
        let made = try client.json("people", "add", "--name", "Zoé Élan", "--emoji", "👩‍👩‍👧", "--color", "#9FE870")
        #expect(made["avatar"] == .string("emoji") && made["emoji"] == .string("👩‍👩‍👧"))
        #expect(made["color"] == .string("#9fe870") && made["photo"] == .null && made["initials"] == .string("ZÉ"))
        #expect(try client.run("people", "list").output.contains("  👩‍👩‍👧  Zoé Élan"))
        let shown = try client.run("people", "show", "zoé", "--lang", "fr").output
        #expect(shown.contains("👩‍👩‍👧") && shown.contains("#9fe870") && shown.contains("couleur"))
        let edited = try client.json("people", "edit", "zoé", "--initials", "Z2", "--color", "")
        #expect(edited["avatar"] == .string("initials") && edited["initials"] == .string("Z2"))
        #expect(edited["emoji"] == .null && edited["color"] == .null)
        #expect(try client.run("people").output.contains("  Z2  Zoé Élan"))
        // A name alone changes nothing of it.
        #expect(try client.json("people", "edit", "zoé", "--name", "Zoé")["initials"] == .string("Z2"))
        #expect(try client.json("people", "edit", "zoé", "--initials", "")["initials"] == .string("Z"))
        #expect(try client.run("undo", "3").status == 0)
        #expect(try client.json("people", "show", "zoé") == made)
        for (flag, text) in [
            ("--emoji", "abc"), ("--emoji", "7"), ("--initials", "42"), ("--initials", "ABCD"), ("--color", "red"),
            ("--color", "#12345"),
        ] {
            let refused = try client.run("people", "edit", "zoé", flag, text, "--json")
            let error = try JSONValue.parse(Array(refused.output.utf8))["error"]
            #expect(refused.status == 1 && error?["fields"]?.each("field") == [String(flag.dropFirst(2))], "\(refused)")
        }
        #expect(try client.run("people", "edit", "zoé", "--emoji", "🦊", "--initials", "Z").status == 64)
        #expect(try client.json("people", "show", "zoé") == made)
        let other = try Client()
        let (backup, export) = (client.folder.file("b.json"), client.folder.file("e.json"))
        #expect(try client.run("backup", backup).status == 0)
        #expect(try other.run("merge", backup).status == 0)
        #expect(try other.json("people", "show", "zoé") == made)
        try client.run("export", "--format", "json").output.write(toFile: export, atomically: true, encoding: .utf8)
        let third = try Client()
        #expect(try third.run("import", "--format", "json", export).status == 0)
        #expect(try third.json("people", "show", "zoé") == made)
    }

    @Test func aPhotoIsCheckedAndStoredWithoutPlaces() throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Ana")
        let jpeg = try RepositoryFile.logo(6)
        let path = try file(client, "a b “1”.jpg", Self.placed(jpeg))
        let made = try client.json("people", "add", "--name", "Zoé", "--photo", path)
        #expect(made["avatar"] == .string("photo") && made["photo"]?["type"] == .string("image/jpeg"))
        let copy = client.folder.file("copy.jpg")
        #expect(try client.run("people", "photo", "zoé", copy).status == 0)
        let stored = try #require(FileManager.default.contents(atPath: copy))
        #expect(stored.count < jpeg.count + 20 && stored.range(of: Data("48.8584".utf8)) == nil)
        #expect(made["photo"]?["bytes"] == .number("\(stored.count)"))
        #expect(try client.run("people", "show", "zoé", "--lang", "fr").output.contains("photo, image/jpeg, 1 Kio"))
        #expect(try client.run("people", "photo", "ana", client.folder.file("x")).errors.contains("photo"))
        #expect(try client.run("people", "photo", "zoé", copy).status == 1, "an existing file stays")
        // By its bytes, not by its name; whole; small.
        for (number, bytes) in [
            Array("<svg onload=alert(1)>".utf8), Array(jpeg.dropLast()), try RepositoryFile.logo(3), [],
            [UInt8](repeating: 0x89, count: 500_000),
        ].enumerated() {
            let bad = try file(client, "bad\(number).jpg", bytes)
            let refused = try client.run("people", "edit", "ana", "--photo", bad)
            #expect(refused.status == 1 && refused.errors.contains("photo"), "\(refused)")
        }
        #expect(try client.json("people", "show", "ana")["avatar"] == .string("initials"))
        #expect(try client.run("people", "edit", "ana", "--photo", client.folder.file("none.png")).status == 1)
        let backup = client.folder.file("b.json")
        #expect(try client.run("backup", backup).status == 0)
        // Another avatar removes it, also from a device that merges.
        #expect(try client.json("people", "edit", "zoé", "--emoji", "🦊")["photo"] == .null)
        #expect(try client.run("people", "photo", "zoé", client.folder.file("y")).status == 1)
        #expect(try client.run("undo").status == 0)
        #expect(try client.json("people", "show", "zoé") == made)
        #expect(try client.run("redo").status == 0)
        let other = try Client()
        #expect(try other.run("restore", backup).status == 0)
        #expect(try other.json("people", "show", "zoé") == made)
        let later = client.folder.file("later.json")
        #expect(try client.run("backup", later).status == 0)
        #expect(try other.run("merge", later, now: "2026-11-21T10:00:00Z").status == 0)
        #expect(try other.json("people", "show", "zoé")["avatar"] == .string("emoji"))
        #expect(try other.run("people", "photo", "zoé", other.folder.file("z")).status == 1)
        #expect(try client.run("merge", backup).status == 0)
        #expect(try client.json("people", "show", "zoé")["avatar"] == .string("emoji"), "an old photo does not return")
    }
}
