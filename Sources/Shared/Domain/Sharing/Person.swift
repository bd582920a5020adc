public import Foundation

/// A person to share costs with.
public struct Person: Sendable, Hashable, Identifiable {
    /// What stands beside the name of a person.
    public enum Avatar: Sendable, Hashable {
        /// 1…3 characters with a letter among them; empty for the initials of the name.
        case initials(String)
        /// One emoji.
        case emoji(String)
        /// The photo that is stored with the person. Its bytes are read on their own.
        case photo
    }

    /// The id of the owner of a store, the same on all devices, so that merges keep one.
    public static let me = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))

    /// ``me`` for the owner of the database, any new UUID for others.
    public var id: UUID
    /// The name to show: 1…200 characters, trimmed by ``validated()``.
    public var name: String
    /// Empty when unknown.
    public var email = ""
    /// At most 40 characters, in any form; empty when unknown.
    public var phone = ""
    /// What to show beside the name; by default the initials of the name.
    public var avatar = Avatar.initials("")
    /// Behind initials and emoji, as `#rrggbb`; empty for one that depends on the id.
    public var color = ""
    /// At most 10,000 characters, also on several lines; empty for none.
    public var notes = ""
    /// When the person was added; set by the app.
    public var createdAt: UTCInstant

    /// Takes the fields as they are; the others get their defaults. ``validated()`` checks them.
    public init(id: UUID, name: String, createdAt: UTCInstant) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
    }

    /// The owner's name until they edit it.
    public static func myName(_ language: DisplayLanguage) -> String { language == .french ? "Moi" : "Me" }

    /// The owner's name as it is stored, in the language that is shown unless they have edited it.
    public static func myName(_ stored: String, _ language: DisplayLanguage) -> String {
        DisplayLanguage.allCases.contains { myName($0) == stored } ? myName(language) : stored
    }

    /// Trims the name, initials and emoji, and checks the rules. Throws every broken rule, in the order of the fields.
    public func validated() throws(FaultList) -> Person {
        var (valid, faults) = (self, FaultList())
        faults.collect { () throws(Fault) in valid.name = try FieldRules.name(name, field: "name") }
        faults.collect { () throws(Fault) in if !email.isEmpty { valid.email = try FieldRules.email(email) } }
        faults.collect { () throws(Fault) in
            valid.phone = try FieldRules.line(phone, field: "phone", maximumLength: 40)
        }
        faults.collect { () throws(Fault) in valid.notes = try FieldRules.note(notes, field: "notes") }
        faults.collect { () throws(Fault) in
            switch avatar {
            case .initials(let letters): valid.avatar = .initials(try Self.initials(letters))
            case .emoji(let emoji): valid.avatar = .emoji(try FieldRules.emoji(emoji, field: "emoji"))
            case .photo: break
            }
        }
        faults.collect { () throws(Fault) in
            if !color.isEmpty { valid.color = try FieldRules.color(color, field: "color").lowercased() }
        }
        guard faults.isEmpty else { throw faults }
        return valid
    }

    /// Checked initials; may be empty. A number alone would be that of a colour, as databases had it once.
    private static func initials(_ text: String) throws(Fault) -> String {
        let letters = try FieldRules.line(CatalogueRules.trimmed(text), field: "initials", maximumLength: 12)
        guard letters.isEmpty || letters.count <= 3 && letters.contains(where: \.isLetter) else {
            throw Fault("initials", .invalidFormat, "Must be 1 to 3 characters with a letter among them.")
        }
        return letters
    }

    /// The chosen initials, else the first letters of the first two words of the name, in upper case.
    public var initials: String {
        if case .initials(let letters) = avatar, !letters.isEmpty { return letters }
        let letters = name.split(whereSeparator: \.isWhitespace)
            .compactMap { word in word.first { $0.isLetter || $0.isNumber } }
        // A name of emoji has no letters.
        return String(letters.isEmpty ? Array(name.prefix(1)) : Array(letters.prefix(2))).uppercased()
    }

    /// The colour behind initials and emoji: the chosen one, else one of those of ``CatalogueMark``, by the id.
    public var background: RGBColor {
        RGBColor(wire: color) ?? RGBColor(rgb: CatalogueMark.colour(of: id.lowercased))
    }
}

/// People who share expenses.
public struct PersonGroup: Sendable, Hashable, Identifiable {
    /// Chosen by the app. Saving another group with it replaces the stored one.
    public var id: UUID
    /// The name of the group: 1…200 characters, trimmed by ``validated(mayBeEmpty:)``.
    public var name: String
    /// A description of at most 10,000 characters; empty for none.
    public var details = ""
    /// Shown beside the name, at most 20 Unicode scalars; empty for none.
    public var emoji = ""
    /// Everybody who belongs to it on some day, in the order given; the first member pays the cent that cannot be
    /// divided.
    public var memberIDs: [UUID]
    /// Who joined or left from which day on, in any order. People without a change belong to it on all days.
    public var changes: [MembershipChange] = []
    /// When the group was added; set by the app.
    public var createdAt: UTCInstant

    /// Takes the fields as they are; the others get their defaults. ``validated(mayBeEmpty:)`` checks them.
    public init(id: UUID, name: String, memberIDs: [UUID], createdAt: UTCInstant) {
        self.id = id
        self.name = name
        self.memberIDs = memberIDs
        self.createdAt = createdAt
    }

    /// The members on a day, in the order of ``memberIDs``.
    public func members(on day: CalendarDay) -> [UUID] {
        let changes = Dictionary(grouping: changes, by: \.personID)
        return memberIDs.filter { id in
            let own = (changes[id] ?? []).sorted { $0.from < $1.from }
            if let last = own.last(where: { $0.from <= day }) { return last.isMember }
            return own.first.map { !$0.isMember } ?? true
        }
    }

    /// Trims the name and checks the rules. Throws every broken rule, in the order of the fields.
    ///
    /// - Parameter mayBeEmpty: allows a group without members, as after all of them were deleted.
    public func validated(mayBeEmpty: Bool = false) throws(FaultList) -> PersonGroup {
        var (valid, faults) = (self, FaultList())
        faults.collect { () throws(Fault) in valid.name = try FieldRules.name(name, field: "name") }
        faults.collect { () throws(Fault) in valid.details = try FieldRules.note(details, field: "details") }
        faults.collect { () throws(Fault) in
            valid.emoji = try FieldRules.line(emoji, field: "emoji", maximumLength: 20)
        }
        if !mayBeEmpty && memberIDs.isEmpty || memberIDs.count > Split.maximumPeople {
            faults.note(Fault("members", .outOfRange, "Must name 1 to \(Split.maximumPeople) people."))
        } else if Set(memberIDs).count < memberIDs.count {
            faults.note(Fault("members", .duplicate, "Must name each person once."))
        }
        guard faults.isEmpty else { throw faults }
        return valid
    }
}

/// A person joins a group, or leaves it.
public struct MembershipChange: Sendable, Hashable {
    /// The person who joins or leaves.
    public var personID: UUID
    /// The first day as a member, or the first day without.
    public var from: CalendarDay
    /// True when the person joins, false when they leave.
    public var isMember: Bool

    /// Takes the fields as they are.
    public init(personID: UUID, from: CalendarDay, isMember: Bool) {
        self.personID = personID
        self.from = from
        self.isMember = isMember
    }
}

/// A colour of the sRGB space.
public struct RGBColor: Sendable, Hashable {
    /// Red, green and blue, 8 bits each.
    public let rgb: UInt32

    /// Reads `0xRRGGBB`; the upper 8 bits are ignored.
    public init(rgb: UInt32) { self.rgb = rgb & 0xFF_FFFF }

    /// Reads `#rrggbb`, in upper or lower case; nil for anything else.
    public init?(wire: String) {
        let digits = wire.utf8.dropFirst()
        guard wire.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let rgb = UInt32(wire.dropFirst(), radix: 16)
        else { return nil }
        self.init(rgb: rgb)
    }

    /// Whether black text is easier to read on it than white text, by the contrast of WCAG 2.
    public var isLight: Bool {
        let channels = [rgb >> 16, rgb >> 8, rgb].map { Self.linear(Double($0 & 0xFF) / 255) }
        let luminance = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
        return (luminance + 0.05) * (luminance + 0.05) > 1.05 * 0.05
    }

    private static func linear(_ channel: Double) -> Double {
        channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
    }
}
