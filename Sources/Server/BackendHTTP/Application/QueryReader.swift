import Backend
import Foundation
import HTTPServer
import HTTPWire
import SubGuardDomain

/// Reads query parameters and records every fault. Unknown and repeated names are faults too: a typo must not change
/// the result silently.
struct QueryReader {
    private let items: QueryItems
    private(set) var faults = FaultList()

    /// Throws 400 for a query that cannot be decoded.
    init(_ request: Request, known: Set<String>) throws(HTTPFailure) {
        do {
            items = try request.queryItems()
        } catch {
            throw HTTPFailure(error)
        }
        var seen: Set<String> = []
        for item in items.items {
            if !known.contains(item.name) {
                note(Self.short(item.name), .unknownParameter, "There is no such parameter.")
            } else if !seen.insert(item.name).inserted {
                note(item.name, .duplicate, "Must be given once.")
            }
        }
    }

    /// The unchecked value; `nil` when absent.
    func raw(_ name: String) -> String? { items[name] }

    /// `nil` when absent; a fault when too long. Characters are Unicode scalars, as in JSON Schema and in the domain.
    mutating func text(_ name: String, maximumCharacters: Int = 200) -> String? {
        guard let value = items[name] else { return nil }
        guard value.unicodeScalars.count <= maximumCharacters, !value.isEmpty else {
            note(name, .outOfRange, "Must have 1 to \(maximumCharacters) characters.")
            return nil
        }
        return value
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>, default fallback: Int) -> Int {
        guard let value = items[name] else { return fallback }
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value),
            range.contains(number)
        else {
            note(name, .outOfRange, "Must be a whole number from \(range.lowerBound) to \(range.upperBound).")
            return fallback
        }
        return number
    }

    /// A UUID; `nil` when absent.
    mutating func id(_ name: String) -> UUID? {
        guard let value = items[name] else { return nil }
        let id = UUID(strict: value)
        if id == nil { note(name, .invalidID, "Must be a UUID.") }
        return id
    }

    /// `true` or `false`; `nil` when absent.
    mutating func boolean(_ name: String) -> Bool? {
        guard items[name] != nil else { return nil }
        return choice(name, of: ["true", "false"], default: "false") == "true"
    }

    /// One of these words.
    mutating func choice(_ name: String, of choices: [String], default fallback: String) -> String {
        guard let value = items[name] else { return fallback }
        guard choices.contains(value) else {
            note(name, .unknownValue, "Must be \(choices.joined(separator: " or ")).")
            return fallback
        }
        return value
    }

    /// An instant in RFC 3339; `nil` when absent.
    mutating func instant(_ name: String) -> UTCInstant? {
        guard let value = items[name] else { return nil }
        let instant = UTCInstant(rfc3339: value)
        if instant == nil { note(name, .invalidTimestamp, "Must be an instant such as 2026-11-20T10:00:00Z.") }
        return instant
    }

    /// A day as `YYYY-MM-DD`; `nil` when absent.
    mutating func day(_ name: String) -> CalendarDay? {
        guard let value = items[name] else { return nil }
        let day = CalendarDay(iso: value)
        if day == nil { note(name, .invalidDay, "Must be a day as YYYY-MM-DD.") }
        return day
    }

    /// The place named by a `next_cursor` of this list; `nil` when absent. Noted when it is no cursor of the list.
    mutating func cursor(of list: PageCursor.List) -> PageCursor? {
        guard let text = items["cursor"] else { return nil }
        let cursor = PageCursor(text, of: list)
        if cursor == nil {
            note("cursor", .invalidCursor, "Must be a next_cursor of this list, with the same parameters.")
        }
        return cursor
    }

    mutating func note(_ pointer: @autoclosure () -> String, _ code: FaultCode, _ detail: @autoclosure () -> String) {
        faults.note(Fault(pointer(), code, detail()))
    }

    /// A bounded prefix of a name from a request. Counting characters would not bound it: one character may have any
    /// number of combining marks.
    private static func short(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
    }

    /// Throws 422 when there is any fault.
    func requireValid() throws(HTTPFailure) {
        if !faults.isEmpty { throw .invalid(faults) }
    }
}
