public import Foundation

/// Somebody with whom costs are shared.
public struct Person: Sendable, Hashable, Identifiable {
    /// What stands for a person where there is no photograph.
    public enum Avatar: Sendable, Hashable {
        case initials(colorIndex: Int)
        case emoji(String)
        /// An image file that the client keeps.
        case photo(path: String)
    }

    public var id: UUID
    public var name: String
    /// Empty when not known.
    public var email = ""
    public var phone = ""
    public var avatar = Avatar.initials(colorIndex: 0)
    public var notes = ""
    public var createdAt: UTCInstant

    public init(id: UUID, name: String, createdAt: UTCInstant) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
    }

    /// The same with its texts trimmed. Throws the first rule that is broken.
    public func validated() throws(Fault) -> Person {
        var valid = self
        valid.name = try FieldRules.name(name, field: "name")
        if !email.isEmpty { valid.email = try FieldRules.email(email) }
        valid.phone = try FieldRules.line(phone, field: "phone", maximumLength: 40)
        valid.notes = try FieldRules.note(notes, field: "notes")
        return valid
    }

    /// The first letters of up to two words of the name, in capitals.
    public var initials: String {
        name.split(whereSeparator: \.isWhitespace).prefix(2).compactMap { $0.first.map { String($0).uppercased() } }
            .joined()
    }
}

/// People who share expenses.
public struct PersonGroup: Sendable, Hashable, Identifiable {
    public var id: UUID
    public var name: String
    public var details = ""
    public var emoji = ""
    /// In the order in which they were named; who stands first bears the cent that cannot be divided.
    public var memberIDs: [UUID]
    public var createdAt: UTCInstant

    public init(id: UUID, name: String, memberIDs: [UUID], createdAt: UTCInstant) {
        self.id = id
        self.name = name
        self.memberIDs = memberIDs
        self.createdAt = createdAt
    }

    /// The same with its texts trimmed. Throws the first rule that is broken.
    ///
    /// - Parameter mayBeEmpty: whether it may have no members, as when all of them were deleted.
    public func validated(mayBeEmpty: Bool = false) throws(Fault) -> PersonGroup {
        var valid = self
        valid.name = try FieldRules.name(name, field: "name")
        valid.details = try FieldRules.note(details, field: "details")
        valid.emoji = try FieldRules.line(emoji, field: "emoji", maximumLength: 20)
        guard mayBeEmpty || !memberIDs.isEmpty, memberIDs.count <= Split.maximumPeople else {
            throw Fault("members", .outOfRange, "Must name from 1 to \(Split.maximumPeople) people.")
        }
        guard Set(memberIDs).count == memberIDs.count else {
            throw Fault("members", .duplicate, "Must name each person once.")
        }
        return valid
    }
}
