import Foundation
import JSONWire
import SubGuardDomain

/// What a demo shows beside the events of a history: suggestions, logos, crashes of two releases with four weeks of
/// sessions, and an alert rule. The same ids each time, so a second run adds nothing.
struct DemoRecords {
    private static let suggestions = [
        "Netfix", "Spotfy Family", "Dysney Plus", "Le Mondé", "Зоe Music", "Crème & Co <b>", "Wordpad Plus",
        "Deezer Famille", "netflix 4k", "Canal + Sport", "Amazon prime video", "Spotify Duo",
    ]
    private static let crashTypes = [
        "EXC_BAD_ACCESS", "NSInvalidArgumentException", "NSRangeException", "Swift runtime failure",
    ]
    private static let logoCount = 40

    /// The time of the newest crash.
    let now: UTCInstant

    /// - Parameters:
    ///   - server: with the token of an owner.
    ///   - items: of the catalogue; the first ones get a logo.
    func send(to server: ServerCalls, items: [UUID]) throws(RunError) {
        func post(_ path: String, _ body: JSONObject, expecting expected: [Int]) throws(RunError) {
            let request = ClientRequest(method: "POST", path: path, body: JSONValue.object(body).serialized())
            try server.send(request, isAuthorized: true, expecting: expected)
        }
        for (number, name) in Self.suggestions.enumerated() {
            try post(
                "/api/v1/suggestions", ["id": id(0, number), "name": .string(name)], expecting: [200, 201, 202])
        }
        for (number, item) in items.prefix(Self.logoCount).enumerated() {
            let request = ClientRequest(
                method: "PUT", path: "/api/v1/admin/catalogue/\(item.lowercased)/logo", type: "image/png",
                body: DemoLogo(number: number).png)
            try server.send(request, isAuthorized: true, expecting: [200, 201])
        }
        try post("/api/v1/crashes", crashes, expecting: [202])
        try post("/api/v1/admin/alerts/rules", Self.rule, expecting: [201, 409])
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
}
