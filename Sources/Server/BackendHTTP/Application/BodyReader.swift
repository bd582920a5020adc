import Foundation
import HTTPServer
import JSONWire
import SubGuardDomain

/// Reads the members of a JSON body and records every fault; unknown names are faults too.
struct BodyReader {
    let object: JSONObject
    private(set) var faults = FaultList()

    /// Throws 400, 413, 415 or 422 for a body that is not a JSON object.
    init(_ request: Request, maximumBytes: Int = 65_536, known: Set<String>) throws(HTTPFailure) {
        object = try RequestBody.object(request, maximumBytes: maximumBytes)
        refuseUnknown(in: object, at: .root, known: known)
    }

    /// Nil, and a fault, when it is missing or not a string.
    mutating func string(_ name: String) -> String? {
        let value = value(name)
        if value == nil { note(.root.member(name), .required, "Must be given.") }
        return value.flatMap { string($0, at: .root.member(name)) }
    }

    /// Nil when it is missing or null; a fault when it is not a string.
    mutating func optionalString(_ name: String) -> String? {
        value(name).flatMap { string($0, at: .root.member(name)) }
    }

    /// Nil when it is missing or null; a fault when it is not an instant.
    mutating func optionalInstant(_ name: String) -> UTCInstant? {
        guard let value = value(name) else { return nil }
        let instant = value.stringValue.flatMap { UTCInstant(rfc3339: $0) }
        if instant == nil {
            note(.root.member(name), .invalidTimestamp, "Must be an instant such as 2026-11-20T10:00:00Z.")
        }
        return instant
    }

    /// Nil when it is missing or null; a fault when it is not a whole number.
    mutating func optionalInteger(_ name: String) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.integerValue else {
            note(.root.member(name), .invalidType, "Must be a whole number.")
            return nil
        }
        return number
    }

    /// Nil when it is missing or null; a fault when it is not a UUID.
    mutating func optionalID(_ name: String) -> UUID? {
        guard let value = value(name) else { return nil }
        return id(value, at: .root.member(name))
    }

    /// Nil, and a fault, when it is missing or not an array.
    mutating func array(_ name: String, of elements: String) -> [JSONValue]? {
        guard let value = value(name) else {
            note(.root.member(name), .required, "Must be given.")
            return nil
        }
        guard let array = value.arrayValue else {
            note(.root.member(name), .invalidType, "Must be an array of \(elements).")
            return nil
        }
        return array
    }

    /// Distinct ids in the order of the body; a fault when there are too few or too many, or when one is repeated or
    /// not a UUID.
    mutating func ids(_ name: String, count: ClosedRange<Int>) -> [UUID] {
        let pointer = JSONPointer.root.member(name)
        guard let elements = array(name, of: "ids") else { return [] }
        guard count.contains(elements.count) else {
            note(pointer, .outOfRange, "Must be an array of \(count.lowerBound) to \(count.upperBound) ids.")
            return []
        }
        var ids: [UUID] = []
        var seen: Set<UUID> = []
        for (index, element) in elements.enumerated() {
            guard let id = id(element, at: pointer.element(index)) else { continue }
            if seen.insert(id).inserted {
                ids.append(id)
            } else {
                note(pointer.element(index), .duplicate, "Must stand in the list once.")
            }
        }
        return ids
    }

    /// The pointer and the detail are made only for faults that are kept.
    mutating func note(
        _ pointer: @autoclosure () -> JSONPointer, _ code: FaultCode, _ detail: @autoclosure () -> String
    ) {
        faults.note(Fault(pointer().text, code, detail()))
    }

    /// Records each member of an object at `pointer` whose name is not in `known`.
    mutating func refuseUnknown(in object: JSONObject, at pointer: JSONPointer, known: Set<String>) {
        for member in object.members where !known.contains(member.name) {
            note(pointer.member(member.name), .unknownField, "There is no such field.")
        }
    }

    /// Throws 422 when there is any fault.
    func requireValid() throws(HTTPFailure) {
        if !faults.isEmpty { throw .invalid(faults) }
    }

    private func value(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    private mutating func string(_ value: JSONValue, at pointer: JSONPointer) -> String? {
        if value.stringValue == nil { note(pointer, .invalidType, "Must be a string.") }
        return value.stringValue
    }

    private mutating func id(_ value: JSONValue, at pointer: JSONPointer) -> UUID? {
        let id = value.stringValue.flatMap { UUID(strict: $0) }
        if id == nil { note(pointer, .invalidID, "Must be a UUID.") }
        return id
    }
}
