/// The members of a JSON object in the order of the text.
///
/// Equality includes that order: it compares texts rather than meanings.
package struct JSONObject: Sendable {
    package var members: [(name: String, value: JSONValue)]

    package init(_ members: [(name: String, value: JSONValue)] = []) {
        self.members = members
    }

    /// The value of the first member of this name, compared bytewise.
    package subscript(name: String) -> JSONValue? {
        let length = name.utf8.count
        return members.first { $0.name.utf8.count == length && $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

extension JSONObject: Hashable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.elementsEqual(right.members) { $0.name == $1.name && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(members.count)
        for member in members {
            hasher.combine(member.name)
            hasher.combine(member.value)
        }
    }
}

extension JSONValue {
    /// The member of an object; nil for other kinds and absent names.
    package subscript(name: String) -> JSONValue? { objectValue?[name] }
}
