import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct PersonPhotoTests {
    private func fixture(photo number: Int) throws -> (EngineFixture, Person) {
        let fixture = try EngineFixture()
        let person = Person(
            id: fixture.store.makeID(fixture.moment), name: "Zoé “Z” 🎉", createdAt: fixture.moment.now)
        try fixture.store.sharing.save(person, photo: try RepositoryFile.logo(number), at: fixture.moment)
        return (fixture, try fixture.store.sharing.person(person.id))
    }

    @Test func aPhotoGoesWithItsPersonAndComesBack() throws {
        let (fixture, person) = try fixture(photo: 1)
        let sharing = fixture.store.sharing
        #expect(person.avatar == .photo)
        let first = try #require(try sharing.photo(of: person.id))
        #expect(first.mediaType == "image/png")
        #expect(try sharing.photos()[person.id]?.byteCount == first.bytes.count)
        try sharing.changePerson(person.id, photo: try RepositoryFile.logo(11), at: fixture.moment)
        #expect(try sharing.photos()[person.id]?.mediaType == "image/webp")
        let said = try fixture.store.journal.entries(at: fixture.moment).map { $0.displayText(.french) }
        #expect(said.first == "Zoé “Z” 🎉 : photo choisie" && said.last == "Zoé “Z” 🎉 : personne ajoutée")
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try sharing.photo(of: person.id)?.bytes == first.bytes)
        try sharing.deletePerson(person.id, at: fixture.moment)
        #expect(try sharing.photos().isEmpty)
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try sharing.photo(of: person.id)?.bytes == first.bytes)
        // Undone with the person who was added with it.
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try sharing.people().isEmpty)
        #expect(try sharing.photos().isEmpty)
    }

    @Test func photosAreInBackupsAndMergesAndAreCheckedThere() throws {
        let (fixture, person) = try fixture(photo: 1)
        let bytes = try #require(try fixture.store.sharing.photo(of: person.id)).bytes
        let other = try EngineFixture(seed: 2)
        let report = try other.store.backups.merge(try fixture.backup(), at: other.moment)
        #expect(report.added == ["people": 1, "person_photos": 1])
        #expect(try other.store.sharing.photo(of: person.id)?.bytes == bytes)
        let text = String(decoding: try fixture.backup(), as: UTF8.self)
        let content = Data(bytes).base64EncodedString()
        for hostile in [
            text.replacing("image/png", with: "image/webp"),
            text.replacing(content, with: Data("<script>alert(1)</script>".utf8).base64EncodedString()),
            text.replacing(content, with: "%%%"),
        ] {
            #expect(hostile != text)
            let third = try EngineFixture(seed: 3)
            #expect(throws: DeviceStoreError.self) {
                try third.store.backups.merge(try ForgedBackup.resealed(hostile), at: third.moment)
            }
            #expect(try third.store.sharing.people().isEmpty)
        }
    }

    @Test func aBackupWithMoreThanCanBeAddedIsRefused() throws {
        let (fixture, person) = try fixture(photo: 1)
        let size = try #require(try fixture.store.sharing.photos()[person.id]).byteCount
        let text = String(decoding: try fixture.backup(), as: UTF8.self)
        let forged = text.replacing("\"image/png\",\(size),", with: "\"image/png\",16777217,")
        #expect(forged != text)
        let error = #expect(throws: DeviceStoreError.self) {
            try fixture.store.backups.restore(try ForgedBackup.resealed(forged), at: fixture.moment)
        }
        #expect(error?.faults.map(\.pointer) == ["photo"])
    }

    @Test func aPreviewNamesThePersonWhosePhotoWouldChange() throws {
        let (fixture, person) = try fixture(photo: 1)
        let backup = try fixture.backup()
        var changed = person
        changed.avatar = .initials("Z")
        changed.color = "#9fe870"
        try fixture.store.sharing.save(changed, at: fixture.moment)
        let preview = try fixture.store.backups.restorePreview(backup, at: fixture.moment)
        let difference = try #require(preview.changing.differences.first)
        #expect(preview.changing.count == 1 && difference.kind == .person && preview.others == 0)
        #expect(Set(difference.changes.map(\.value.column)) == ["avatar_value", "color", "size"])
    }

    /// Databases of before held the number of a colour, the path of a file, or any text.
    @Test func avatarsOfBeforeAreRead() throws {
        let (fixture, person) = try fixture(photo: 1)
        let sharing = fixture.store.sharing
        let text = String(decoding: try fixture.backup(), as: UTF8.self)
        for (kind, value, avatar) in [
            ("initials", "7", Person.Avatar.initials("")), ("photo", "a,b.png", .photo),
            ("emoji", "xyz", .initials("")),
            ("emoji", "🦊", .emoji("🦊")), ("other", "x", .initials("")),
        ] {
            let former = text.replacing("\"photo\",\"\"", with: "\"\(kind)\",\"\(value)\"")
            #expect(former != text)
            try fixture.store.backups.restore(try ForgedBackup.resealed(former), at: fixture.moment)
            #expect(try sharing.person(person.id).avatar == avatar, "\(kind)")
        }
        let hostile = text.replacing("\"photo\",\"\"", with: "\"initials\",\"<script>\"")
        #expect(throws: DeviceStoreError.self) {
            try fixture.store.backups.restore(try ForgedBackup.resealed(hostile), at: fixture.moment)
        }
    }
}
