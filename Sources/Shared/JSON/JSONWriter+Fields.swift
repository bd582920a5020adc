extension JSONWriter {
    /// Writes a member; nil becomes null.
    package mutating func field(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a member; nil becomes null.
    package mutating func field(_ name: String, _ value: Int64?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    /// Writes a member; nil becomes null.
    package mutating func field(_ name: String, _ value: Int?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    /// Writes a member; nil becomes null.
    package mutating func field(_ name: String, _ value: Bool?) {
        key(name)
        if let value { bool(value) } else { null() }
    }

    /// Writes a member with any value.
    package mutating func field(_ name: String, _ value: JSONValue) {
        key(name)
        self.value(value)
    }

    /// Writes any value, objects in the order of their members.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let text): raw(text.utf8)
        case .string(let value): string(value)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members { field(member.name, member.value) }
            endObject()
        }
    }
}
