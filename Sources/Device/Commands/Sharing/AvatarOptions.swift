import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

/// What stands beside the name of a person, as flags of `people add` and `people edit`.
struct AvatarOptions: ParsableArguments {
    @Option(help: "One emoji as the avatar. In `edit`, empty for initials.") var emoji: String?
    @Option(help: "1 to 3 characters as the avatar. Default: the initials of the name.") var initials: String?
    @Option(help: "PNG, JPEG or WebP file as the avatar: below 500 KB, at most 1024 pixels a side.")
    var photo: String?
    @Option(help: "Colour behind initials or emoji, such as #9FE870; empty for one of its own.") var color: String?

    func validate() throws {
        let given = [emoji, initials, photo].count { $0 != nil }
        try require(given <= 1, "--emoji, --initials and --photo cannot be combined")
    }

    /// Puts the avatar of the flags in the place of the person's; a photo comes with ``photoBytes()``.
    func edit(_ person: inout Person) {
        if let emoji { person.avatar = emoji.isEmpty ? .initials("") : .emoji(emoji) }
        if let initials { person.avatar = .initials(initials) }
        person.color = color ?? person.color
    }

    /// The file of the photo; nil without one.
    func photoBytes() throws -> [UInt8]? {
        // A little more than what is accepted, so that a file of a photo that is too long is named as one.
        try photo.map { try WholeFile.read($0, maximumBytes: 64 << 20) }
    }
}

extension PeopleCommand {
    struct Photo: ReadCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the photo of a person to a file.",
            discussion: """
                Photos are set by `people edit PERSON --photo FILE`. They are stored without texts, times and places, \
                which includes the note of cameras that a picture is to be turned.
                """)

        @Argument(help: "Name of the person, or the id.") var id: String
        @Argument(help: "A file that does not exist yet.") var file: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let id = try session.personID(id)
            guard let photo = try session.store.sharing.photo(of: id) else {
                throw Fault("photo", .required, "No photo is stored.")
            }
            try WholeFile.create(photo.bytes, at: file)
            session.print(
                object: {
                    $0.field("bytes", photo.bytes.count)
                    $0.field("type", photo.mediaType)
                }, text: { "" })
        }
    }
}

extension Person {
    /// The emoji, else the initials.
    var mark: String { if case .emoji(let emoji) = avatar { emoji } else { initials } }
}

extension JSONWriter {
    /// - Parameter photo: nil when none is stored.
    mutating func fields(avatar person: Person, _ photo: PersonPhoto?) {
        var emoji: String?
        var shown: PersonPhoto?
        switch person.avatar {
        case .initials: break
        case .emoji(let text): emoji = text
        case .photo: shown = photo
        }
        field("avatar", emoji != nil ? "emoji" : shown != nil ? "photo" : "initials")
        field("emoji", emoji)
        field("color", person.color.isEmpty ? nil : person.color)
        guard let shown else { return field("photo", nil as String?) }
        object("photo") { json in
            json.field("type", shown.mediaType)
            json.field("bytes", shown.byteCount)
        }
    }
}
