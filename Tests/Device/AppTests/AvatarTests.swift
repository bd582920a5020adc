import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// What stands beside the names of people.
@Suite struct AvatarTests {
    private func person(_ app: AppFixture, _ name: String) throws -> (person: Person, place: String) {
        let person = Person(id: app.store.makeID(app.moment), name: name, createdAt: app.moment.now)
        try app.store.sharing.save(person, at: app.moment)
        return (person, "/together/people/\(person.id.uuidString.lowercased())")
    }

    @Test func initialsEmojiAndColourAreChosenOnThePage() throws {
        let app = try AppFixture(language: .french)
        let (zoe, place) = try person(app, "Zoé <b>")
        let plain = try PageForm.fields(try app.get(place).text, "edit")
        #expect(try app.get("/together").text.contains(">ZB</text>"))
        // Typing an emoji chooses it.
        let emoji = PageForm.changed(plain, [("emoji", " 👩‍👩‍👧 "), ("color", "#9FE870")])
        #expect(try app.post(place + "/edit", emoji).status == 303)
        let saved = try app.store.sharing.person(zoe.id)
        #expect(saved.avatar == .emoji("👩‍👩‍👧") && saved.color == "#9fe870")
        for page in [place, "/together"] {
            let text = try app.get(page).text
            #expect(text.contains(">👩‍👩‍👧</text>") && text.contains("class=\"letters dark\""), "\(page)")
            #expect(text.contains("fill=\"#9fe870\""), "\(page)")
        }
        // Nothing typed, nothing changed; initials come by the choice or by typing some.
        let same = try PageForm.fields(try app.get(place).text, "edit")
        #expect(try app.post(place + "/edit", same)["Location"] == place + "?done=nothing")
        #expect(try app.post(place + "/edit", PageForm.changed(same, [("avatar", "initials")])).status == 303)
        #expect(try app.store.sharing.person(zoe.id).avatar == .initials(""))
        let again = try PageForm.fields(try app.get(place).text, "edit")
        #expect(try app.post(place + "/edit", PageForm.changed(again, [("initials", "Zé")])).status == 303)
        #expect(try app.store.sharing.person(zoe.id).avatar == .initials("Zé"))
        #expect(try app.get("/together").text.contains(">Zé</text>"))
        for (field, value) in [("emoji", "abc"), ("initials", "42"), ("color", "red;x")] {
            let refused = try app.post(place + "/edit", PageForm.changed(again, [(field, value)]))
            #expect(refused.status == 422 && refused.text.contains("id=\"\(field)-fault\""), "\(field)")
        }
        // A choice without its emoji names the field.
        let empty = try app.post(place + "/edit", PageForm.changed(again, [("avatar", "emoji")]))
        #expect(empty.status == 422 && empty.text.contains("id=\"emoji-fault\""))
    }

    @Test func aPhotoIsServedToItsOwnPagesOnly() throws {
        let app = try AppFixture()
        let (zoe, place) = try person(app, "Zoé")
        #expect(try app.get(place + "/photo").status == 404)
        let png = try RepositoryFile.logo(1)
        for bad in [Array("<svg onload=alert(1)>".utf8), Array(png.dropLast()), try RepositoryFile.logo(3), []] {
            let refused = try app.send(place + "/photo", [], "a.png", bad, field: "photo")
            #expect(refused.status == 422 && refused.text.contains("id=\"photo-fault\""), "\(refused.status)")
        }
        let long = png + [UInt8](repeating: 0, count: PersonPhoto.limitBytes)
        #expect(try app.send(place + "/photo", [], "a.png", long, field: "photo").status == 413)
        let done = try app.send(place + "/photo", [], "a.png", png, field: "photo")
        #expect(done.status == 303 && done["Location"]?.hasPrefix(place + "?done=") == true)
        #expect(try app.store.sharing.person(zoe.id).avatar == .photo)
        for page in [place, "/together"] {
            #expect(try app.get(page).text.contains("<img src=\"\(place)/photo\" alt=\"\""), "\(page)")
        }
        let shown = try app.get(place + "/photo")
        #expect(shown.status == 200 && shown["Content-Type"] == "image/png")
        #expect(shown["X-Content-Type-Options"] == "nosniff" && shown["Cache-Control"] == "no-store")
        #expect(shown["Content-Security-Policy"] == "default-src 'none'; sandbox")
        #expect(shown["Cross-Origin-Resource-Policy"] == "same-origin")
        let locked = try AppFixture.exchange(app.server, "GET", place + "/photo")
        #expect(locked.status == 401 && locked.body != shown.body)
        // A form that was open before changes no photo.
        let fields = try PageForm.fields(try app.get(place).text, "edit")
        #expect(fields.contains { $0 == ("avatar", "photo") })
        #expect(try app.post(place + "/edit", PageForm.changed(fields, [("phone", "1")])).status == 303)
        #expect(try app.store.sharing.person(zoe.id).avatar == .photo)
        #expect(try app.post(place + "/photo/delete", []).status == 303)
        #expect(try app.get(place + "/photo").status == 404)
        #expect(try app.store.sharing.person(zoe.id).avatar == .initials(""))
        #expect(try app.post(place + "/photo/delete", [])["Location"] == place + "?done=nothing")
        let entry = try #require(try app.store.journal.entries(at: app.moment).first { !$0.isUndone })
        #expect(try app.post("/undo", [("number", "\(entry.id)"), ("back", place)]).status == 303)
        #expect(try app.get(place + "/photo").body == shown.body)
    }
}
