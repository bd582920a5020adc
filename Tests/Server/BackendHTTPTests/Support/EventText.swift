import Foundation
import SubGuardDomain

/// An analytics event as JSON text, any part of which can be invalid.
struct EventText {
    var id: String
    var name: String
    var user: String
    var timestamp: String
    /// The JSON of `properties`, or any other JSON value instead of an object.
    var properties: String?
    /// Additional members, beginning with a comma.
    var more = ""

    init(
        _ number: UInt64, _ name: String = "app_opened", user: Int = 1, at timestamp: String = "2026-11-20T09:59:00Z",
        properties: String? = nil
    ) {
        id = makeID(number).lowercased
        self.name = name
        self.user = Self.user(user)
        self.timestamp = timestamp
        self.properties = properties
    }

    /// 64 hexadecimal digits that depend only on the number.
    static func user(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "a5", count: 24) + String(repeating: "0", count: 16 - digits.count) + digits
    }

    var text: String {
        #"{"id":"\#(id)","name":"\#(name)","user_id":"\#(user)","timestamp":"\#(timestamp)""#
            + (properties.map { #","properties":\#($0)"# } ?? "") + more + "}"
    }
}

extension Array where Element == EventText {
    /// The events as a bare array.
    var text: String { "[" + map(\.text).joined(separator: ",") + "]" }
}
