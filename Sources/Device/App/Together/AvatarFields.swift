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
        return [
            ("avatar", kind.rawValue), ("emoji", emoji), ("initials", initials), ("color", person.color),
        ]
    }

    /// The avatar and colour of a sent form: what was typed, the rest as it stands. Typing an emoji or initials chooses them.
    func edit(_ person: inout Person, _ form: FormFields) {
        person.color = form.edited("color") ?? person.color
        let (emoji, initials) = (form.edited("emoji"), form.edited("initials"))
        let implied: Kind? =
            emoji.map { $0.isEmpty ? .initials : .emoji } ?? initials.flatMap { $0.isEmpty ? nil : .initials }
        let chosen = form.edited("avatar").flatMap { Kind(rawValue: $0) } ?? implied
        switch chosen {
        case .emoji: person.avatar = .emoji(form["emoji"] ?? "")
        case .initials: person.avatar = .initials(form["initials"] ?? "")
        case .photo: break
        case nil: if let initials, case .initials = person.avatar { person.avatar = .initials(initials) }
        }
    }

    func write(_ value: (String) -> String, _ faults: [Fault], _ visit: AppVisit, to html: inout HTMLWriter) {
        let kinds: [Kind] = hasPhoto ? [.photo, .initials, .emoji] : [.initials, .emoji]
        html.choice(
            "avatar", visit.text("Beside the name"), current: value("avatar"),
            kinds.map { kind in
                switch kind {
                case .initials: (kind.rawValue, visit.text("Initials"))
                case .emoji: (kind.rawValue, visit.text("Emoji"))
                case .photo: (kind.rawValue, visit.text("Photo"))
                }
            })
        visit.field("emoji", visit.text("Emoji"), value: value("emoji"), faults: faults, to: &html)
        visit.field(
            "initials", visit.text("Initials"), value: value("initials"),
            hint: visit.text("Empty for those of the name."), faults: faults, to: &html)
        visit.field(
            "color", visit.text("Colour"), value: value("color"),
            hint: visit.text("Such as #2b59c3; empty for one of its own."), faults: faults, to: &html)
    }
}
