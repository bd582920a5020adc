package import Foundation
import JSONWire
package import SubGuardDomain

/// What a demo shows beside the events of a history: suggestions, logos, crashes of two releases with four weeks of
/// sessions, and an alert rule. The same ids each time, so a second run adds nothing.
package struct DemoRecords {
    private static let suggestions = [
        "Netfix", "Spotfy Family", "Dysney Plus", "Le Mondé", "Зоe Music", "Crème & Co <b>", "Wordpad Plus",
        "Deezer Famille", "netflix 4k", "Canal + Sport", "Amazon prime video", "Spotify Duo",
    ]
    private static let crashTypes = [
        "EXC_BAD_ACCESS", "NSInvalidArgumentException", "NSRangeException", "Swift runtime failure",
    ]
    private static let logoCount = 40

    private let now: UTCInstant

    /// - Parameter now: the time of the newest crash.
    package init(now: UTCInstant) { self.now = now }

    /// - Parameters:
    ///   - server: with the token of an owner.
    ///   - items: of the catalogue; the first ones get a logo.
    package func send(to server: ServerCalls, items: [UUID]) throws(LoadError) {
        for (number, name) in Self.suggestions.enumerated() {
            let body: JSONObject = ["id": id(0, number), "name": .string(name)]
            try server.send("POST", "/api/v1/suggestions", bytes(body), isAuthorized: true, expecting: [200, 201, 202])
        }
        for (number, item) in items.prefix(Self.logoCount).enumerated() {
            let path = "/api/v1/admin/catalogue/\(item.lowercased)/logo"
            try server.send(
                "PUT", path, DemoLogo(number: number).png, type: "image/png", isAuthorized: true,
                expecting: [200, 201])
        }
        try server.send("POST", "/api/v1/crashes", bytes(crashes), isAuthorized: true, expecting: [202])
        try server.send(
            "POST", "/api/v1/admin/alerts/rules", bytes(Self.rule), isAuthorized: true, expecting: [201, 409])
    }

    private static let rule: JSONObject = [
        "name": "Crashes", "figure": "crash_free_sessions", "comparison": "below", "value": 99, "window": "24h",
        "minimum_sample": 10,
    ]

    private var crashes: JSONObject {
        let crashes = Self.crashTypes.enumerated().flatMap { kind, type in
            (0..<3).map { hours -> JSONValue in
                [
                    "id": id(1, kind * 3 + hours), "timestamp": time(hoursAgo: hours), "type": .string(type),
                    "app_version": .string("1.\(hours % 2).0"), "app_build": "217", "platform": "ios",
                    "os_version": "26.1", "device_model": "iPhone17,1", "handled": false,
                    "frames": [
                        ["function": .string("\(type).body"), "module": "SubGuard", "line": 42, "in_app": true]
                    ],
                ]
            }
        }
        let sessions = (0..<28).flatMap { day in
            (0..<2).map { minor -> JSONValue in
                [
                    "id": id(2, day * 2 + minor), "started_at": time(hoursAgo: day * 24 + 1),
                    "app_version": .string("1.\(minor).0"), "total": .integer(200 + day * (minor == 0 ? 9 : -5)),
                    "crashed": .integer((day * 7 + minor) % 5),
                ]
            }
        }
        return ["sent_at": time(hoursAgo: 0), "crashes": .array(crashes), "sessions": .array(sessions)]
    }

    private func time(hoursAgo: Int) -> JSONValue {
        .string(now.adding(milliseconds: -Int64(hoursAgo) * 3_600_000).rfc3339)
    }

    private func id(_ kind: Int, _ number: Int) -> JSONValue {
        let digits = String(number, radix: 16)
        return .string("01934f0e-7c2a-7d3e-9b1\(kind)-" + String(repeating: "0", count: 12 - digits.count) + digits)
    }

    private func bytes(_ object: JSONObject) -> [UInt8] { JSONValue.object(object).serialized() }
}
