import DeviceWords
import HTML
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
