import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// The fields of a form for what stands beside the name of a person.
struct AvatarFields {
    let person: Person
    let hasPhoto: Bool

    private enum Kind: String {
        case initials, emoji, photo
    }

    private var kind: Kind {
        switch person.avatar {
        case .photo where hasPhoto: .photo
        case .emoji: .emoji
        case .initials, .photo: .initials
        }
    }

    /// The values that the page shows.
    var values: [(name: String, value: String)] {
        var (emoji, initials) = ("", "")
        switch person.avatar {
        case .emoji(let text): emoji = text
        case .initials(let text): initials = text
        case .photo: break
        }
        return [("avatar", kind.rawValue), ("emoji", emoji), ("initials", initials), ("color", person.color)]
    }

    /// The avatar and colour of a sent form: what was typed, the rest as it stands. Typing an emoji or initials chooses
    /// them.
    static func edit(_ person: inout Person, _ form: FormFields) {
        form.edit(&person.color, "color")
        let (emoji, initials) = (form.edited("emoji"), form.edited("initials"))
        let implied: Kind? =
            emoji.map { $0.isEmpty ? .initials : .emoji } ?? initials.flatMap { $0.isEmpty ? nil : .initials }
        switch form.edited("avatar").flatMap({ Kind(rawValue: $0) }) ?? implied {
        case .emoji: person.avatar = .emoji(form["emoji"] ?? "")
        case .initials: person.avatar = .initials(form["initials"] ?? "")
        case .photo: break
        case nil: if let initials, case .initials = person.avatar { person.avatar = .initials(initials) }
        }
    }

    func write(_ fields: FieldWriter, _ visit: AppVisit, to html: inout HTMLWriter) {
        let kinds =
            (hasPhoto ? [(Kind.photo.rawValue, visit.text("Photo"))] : []) + [
                (Kind.initials.rawValue, visit.text("Initials")), (Kind.emoji.rawValue, visit.text("Emoji")),
            ]
        fields.choice("avatar", visit.text("Beside the name"), kinds, to: &html)
        fields.line("emoji", visit.text("Emoji"), to: &html)
        fields.line("initials", visit.text("Initials"), hint: visit.text("Empty for those of the name."), to: &html)
        fields.line(
            "color", visit.text("Colour"), hint: visit.text("Such as #2b59c3; empty for one of its own."), to: &html)
    }
}

/// What stands beside the names of people: photos, emoji or initials.
struct PersonMarks {
    private let people: [UUID: Person]
    /// Who has a photo.
    private let photos: Set<UUID>

    init(_ visit: AppVisit) throws {
        people = Dictionary(try visit.store.sharing.people().map { ($0.id, $0) }) { first, _ in first }
        photos = Set(try visit.store.sharing.photos().keys)
    }

    func hasPhoto(_ id: UUID) -> Bool { people[id]?.avatar == .photo && photos.contains(id) }

    /// Decorative: the name stands beside it.
    ///
    /// - Parameter name: as the page shows it; also of a deleted person.
    func write(_ id: UUID, named name: String, to html: inout HTMLWriter) {
        guard !hasPhoto(id) else {
            return html.add(.img, .source(PhotoSection.link(id)), .alt(""), .lazy, .class("letters"))
        }
        let person = people[id] ?? Person(id: id, name: name, createdAt: UTCInstant(millisecondsSinceEpoch: 0))
        let background = person.background
        func letters(_ text: String, _ html: inout HTMLWriter) {
            LetterMark(letters: text, colour: background.rgb, isDark: background.isLight).write(to: &html)
        }
        if case .emoji(let emoji) = person.avatar {
            html.add(.span, .class("pictogram")) { letters(emoji, &$0) }
        } else {
            letters(person.initials, &html)
        }
    }
}

/// The photo on the page of a person: chosen, replaced and removed. Its bytes have an address of their own.
struct PhotoSection {
    let visit: AppVisit
    let person: Person
    let hasPhoto: Bool

    static func link(_ id: UUID) -> HTMLLink { HTMLLink("together", "people", id.lowercased, "photo") }

    /// - Parameter page: the page of the person.
    static func routes(_ gate: AppGate, again page: @escaping @Sendable (AppVisit) throws -> [UInt8]) -> [Route] {
        [
            gate.answer("/together/people/{id:uuid}/photo") { visit in
                let id = try visit.id()
                guard let photo = try visit.store.sharing.photo(of: id) else {
                    throw DeviceStoreError.notFound(.person, id: id.lowercased)
                }
                return AppResponse.receipt(photo.bytes, named: "photo", type: photo.mediaType, isDownload: false)
            },
            gate.file(
                "/together/people/{id:uuid}/photo", "photo", missing: "No photo was chosen.",
                maximumBytes: PersonPhoto.limitBytes - 1, again: page
            ) { visit, file in
                let id = try visit.id()
                try visit.store.sharing.changePerson(id, photo: file.content, at: visit.moment)
                return .done(PersonPages.link(id))
            },
            gate.form("/together/people/{id:uuid}/photo/delete") { visit, _ in
                let id = try visit.id()
                return try .edited(
                    PersonPages.link(id), by: { try visit.store.sharing.changePerson(id, at: visit.moment, $0) }
                ) { person in if case .photo = person.avatar { person.avatar = .initials("") } }
            },
        ]
    }

    func write(to html: inout HTMLWriter) {
        let bytes = PersonPhoto.limitBytes
        html.section(visit.text("Photo")) { html in
            FileForm(
                visit: visit, link: Self.link(person.id), name: "photo", label: visit.text("File"),
                hint: visit.text("PNG, JPEG or WebP. Made smaller here if need be; stored without times and places."),
                accept: .accept("image/png,image/jpeg,image/webp"), most: bytes - 1,
                tooLarge: "Must have less than \(bytes / 1000) KB; make it smaller first.",
                submit: hasPhoto ? visit.text("Replace the photo") : visit.text("Add a photo"),
                side: .data("side", "\(PersonPhoto.maximumSide)")
            ).write(to: &html)
            guard hasPhoto else { return }
            html.button(
                visit.text("Remove the photo"),
                post: HTMLLink("together", "people", person.id.lowercased, "photo", "delete"), form: "after")
        }
    }
}
