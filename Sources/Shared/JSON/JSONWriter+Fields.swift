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

    /// The bytes of one object.
    package static func bytes(
        capacity: Int = 0, _ members: (inout JSONWriter) throws -> Void
    ) rethrows -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        try writer.object(members)
        return writer.bytes
    }

    /// The same as text.
    package static func text(
        capacity: Int = 0, _ members: (inout JSONWriter) throws -> Void
    ) rethrows -> String { String(decoding: try bytes(capacity: capacity, members), as: UTF8.self) }

    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        beginObject()
        try members(&self)
        endObject()
    }

    package mutating func object(_ name: String, _ members: (inout JSONWriter) throws -> Void) rethrows {
        key(name)
        try object(members)
    }

    /// An array whose elements are written one after the other.
    package mutating func array(_ name: String, _ elements: (inout JSONWriter) throws -> Void) rethrows {
        key(name)
        beginArray()
        try elements(&self)
        endArray()
    }

    /// An array of texts.
    package mutating func strings(_ name: String, _ texts: some Sequence<String>) {
        array(name) { json in for text in texts { json.string(text) } }
    }

    /// An array of objects, in the order of the elements.
    package mutating func array<Element>(
        _ name: String, _ elements: some Sequence<Element>, _ members: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        key(name)
        try array(elements, members)
    }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ members: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        beginArray()
        for element in elements { try object { try members(&$0, element) } }
        endArray()
    }
}
