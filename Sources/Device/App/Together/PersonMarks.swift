import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

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
