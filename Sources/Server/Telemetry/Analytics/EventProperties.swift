import Foundation
import JSONWire
import SubGuardDomain

/// Validates the properties of an event against the registry and normalises them.
enum EventProperties {
    enum Reading {
        /// Compact JSON with members sorted by name and ids in lower case; nil for no properties.
        case valid([UInt8]?)
        case invalid(EventRejection)
    }

    private struct Member {
        let name: String
        let value: Value
    }

    private enum Value {
        case text(String)
        case integer(Int64)
    }

    /// Reads an object. A forbidden property takes precedence over a bad value, so reading ends at the first forbidden
    /// one, with the reader inside the object.
    static func read(_ reader: inout JSONReader, of definition: EventDefinition) throws(JSONError) -> Reading {
        var members: [Member] = []
        var rejection: EventRejection?
        try reader.beginObject()
        while let key = try reader.nextKey() {
            guard let property = key.withDecodedBytes({ definition.property(named: $0) }) else {
                return .invalid(.propertyNotAllowed)
            }
            guard let value = try readValue(&reader, of: property.kind),
                !members.contains(where: { $0.name == property.name })
            else {
                rejection = rejection ?? .invalidProperty
                continue
            }
            members.append(Member(name: property.name, value: value))
        }
        if let rejection { return .invalid(rejection) }
        return .valid(members.isEmpty ? nil : json(members))
    }

    /// Reads the next value to its end; nil if it is not of this kind.
    private static func readValue(_ reader: inout JSONReader, of kind: PropertyKind) throws(JSONError) -> Value? {
        switch try reader.peek() {
        case .string:
            let text = try reader.readRawString()
            guard text.withDecodedBytes({ kind.accepts(text: $0) }) else { return nil }
            return .text(kind == .uuid ? text.string.lowercased() : text.string)
        case .number:
            do {
                let integer = try reader.readInteger()
                return kind.accepts(integer: integer) ? .integer(integer) : nil
            } catch  where error.isMismatch {
                try reader.skipValue()
                return nil
            }
        default:
            try reader.skipValue()
            return nil
        }
    }

    private static func json(_ members: [Member]) -> [UInt8] {
        JSONWriter.bytes { writer in
            for member in members.sorted(by: { $0.name < $1.name }) {
                writer.key(member.name)
                switch member.value {
                case .text(let text): writer.string(text)
                case .integer(let integer): writer.integer(integer)
                }
            }
        }
    }
}
