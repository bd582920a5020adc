package import JSONWire
package import SubGuardDomain

/// Reads the members of a JSON object and notes every fault; nothing is lost to the first of them.
package struct FieldReader {
    /// What happens to members that nobody asked for.
    package enum Unknown: Sendable {
        /// Noted as faults: what a client sends to this server.
        case refused
        /// Passed over: what a newer server answers, and what others send.
        case ignored
    }

    package let object: JSONObject
    package private(set) var faults = FaultList()

    package init(_ object: JSONObject, known: [String], unknown: Unknown) {
        self.object = object
        guard unknown == .refused else { return }
        for member in object.members where !known.contains(member.name) {
            note(member.name, .unknownField, "There is no such field.")
        }
    }

    /// Nil, and noted, when it is missing, no string, empty, or longer than `maximumBytes` of UTF-8.
    package mutating func string(_ name: String, maximumBytes: Int) -> String? {
        guard let value = object[name], !value.isNull else {
            note(name, .required, "Must be given.")
            return nil
        }
        guard let text = value.stringValue else {
            note(name, .invalidType, "Must be a string.")
            return nil
        }
        guard !text.isEmpty, text.utf8.count <= maximumBytes else {
            note(name, .outOfRange, "Must have 1 to \(maximumBytes) bytes.")
            return nil
        }
        return text
    }

    /// Nil when it is missing or null; noted when it is no string or longer than `maximumBytes`.
    package mutating func optionalString(_ name: String, maximumBytes: Int) -> String? {
        guard let value = object[name], !value.isNull else { return nil }
        return string(name, maximumBytes: maximumBytes)
    }

    /// Nil, and noted, when it is missing, no whole number or outside of `range`.
    package mutating func integer(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = object[name], !value.isNull else {
            note(name, .required, "Must be given.")
            return nil
        }
        guard let number = value.integerValue else {
            note(name, .invalidType, "Must be a whole number.")
            return nil
        }
        guard range.contains(number) else {
            note(name, .outOfRange, "Must be from \(range.lowerBound) to \(range.upperBound).")
            return nil
        }
        return number
    }

    package mutating func note(_ name: String, _ code: FaultCode, _ detail: String) {
        faults.note(Fault(JSONPointer.root.member(name).text, code, detail))
    }
}
