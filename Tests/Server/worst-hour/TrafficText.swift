import Foundation

/// Requests that use as much space as the rules allow.
struct TrafficText {
    enum Kind {
        /// Without properties, each of another user: the smallest in a request.
        case bare
        /// Every property with its maximum length, all different.
        case long
        /// Additions of subscriptions, each with another catalogue item.
        case item
    }

    private var number: UInt64 = 0
    private var userNumber: UInt64 = 0
    /// Within the accepted range, and spread over many days, so that figures grow, too.
    private let start = Date()

    private mutating func next() -> UInt64 {
        number += 1
        return number
    }

    private static func id(_ number: UInt64) -> String {
        let scrambled = number &* 0x9E37_79B9_7F4A_7C15
        let digits = hexadecimal(scrambled)
        return "\(digits.prefix(8))-\(digits.suffix(4))-4000-8000-\(hexadecimal(number).suffix(12))"
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    static func user(_ number: UInt64, prefix: String = "a5a5") -> String {
        let scrambled = hexadecimal(number &* 0x9E37_79B9_7F4A_7C15)
        return prefix + scrambled + scrambled + hexadecimal(number) + String(scrambled.prefix(12))
    }

    private func instant(_ number: UInt64) -> String {
        start.addingTimeInterval(-Double(number &* 7919 % 30_000_000)).ISO8601Format()
    }

    private mutating func event(_ name: String, user: UInt64, properties: String?) -> String {
        let number = next()
        return
            #"{"id":"\#(Self.id(number))","name":"\#(name)","user_id":"\#(Self.user(user))","#
            + #""timestamp":"\#(instant(number))""#
            + (properties.map { #","properties":\#($0)"# } ?? "") + "}"
    }

    mutating func newUsers() -> (String, Int64) {
        var events: [String] = []
        for _ in 0..<1000 {
            userNumber += 1
            events.append(event("app_downloaded", user: userNumber, properties: nil))
        }
        return ("[" + events.joined(separator: ",") + "]", 1000)
    }

    mutating func events(_ kind: Kind) -> (String, Int64) {
        var events: [String] = []
        for _ in 0..<500 {
            let user = number % max(userNumber, 1) + 1
            let text = Self.hexadecimal(number &+ 1) + String(repeating: "v", count: 48)
            let item = #""catalogue_item_id":"\#(Self.id(number &+ 77_000_000))""#
            let long = #"""
                "app_version":"\#(text)","os_version":"o\#(text.dropLast())","platform":"p\#(text.dropLast())",\#
                "locale":"fr-FR"
                """#
            switch kind {
            case .bare: events.append(event("app_opened", user: user, properties: nil))
            case .long: events.append(event("subscription_removed", user: user, properties: "{\(long),\(item)}"))
            case .item: events.append(event("subscription_added", user: user, properties: "{\(item)}"))
            }
        }
        return ("[" + events.joined(separator: ",") + "]", 500)
    }

    mutating func suggestions() -> (String, Int64) {
        let names = (0..<100).map { _ in
            let number = next()
            return #"""
                {"id":"\#(Self.id(number))","name":"\#(Self.hexadecimal(number))\#(String(repeating: "é", count: 100))"}
                """#
        }
        return (#"{"suggestions":[\#(names.joined(separator: ","))]}"#, 100)
    }

    mutating func crashes() -> (String, Int64) {
        let crashes = (0..<25).map { _ in
            let number = next()
            let name = Self.hexadecimal(number)
            let frames = (0..<40).map { frame in
                #"""
                {"function":"f\#(name)\#(String(repeating: "x", count: 130))\#(frame)",\#
                "module":"\#(String(repeating: "m", count: 150))","file":"\#(String(repeating: "p", count: 150))",\#
                "line":7,"in_app":true}
                """#
            }
            return #"""
                {"id":"\#(Self.id(number))","timestamp":"\#(start.ISO8601Format())","type":"T\#(name)",\#
                "app_version":"1.0","message":"\#(String(repeating: "w ", count: 400))",\#
                "frames":[\#(frames.joined(separator: ","))]}
                """#
        }
        return (#"{"crashes":[\#(crashes.joined(separator: ","))]}"#, 25)
    }

    mutating func sessions() -> (String, Int64) {
        let counts = (0..<100).map { _ in
            let number = next()
            let at = start.addingTimeInterval(-Double(number % 600 * 3600)).ISO8601Format()
            return #"""
                {"id":"\#(Self.id(number))","started_at":"\#(at)","app_version":"\#(number % 400)","total":3,\#
                "crashed":1}
                """#
        }
        return (#"{"sessions":[\#(counts.joined(separator: ","))]}"#, 100)
    }

    mutating func erasure() -> (String, Int64) { (#"{"user_id":"\#(Self.user(next() &+ 5_000_000_000))"}"#, 1) }
}
