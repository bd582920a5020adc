import CZlib
import Foundation
import JSONWire
import SubGuardDomain
import ZlibCoding

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

/// A logo of a demo: two colours and one of four shapes. Real logos are trademarks, so none is part of the program.
struct DemoLogo {
    private static let side = 96
    private static let colours: [(UInt8, UInt8, UInt8)] = [
        (0x1F, 0x6F, 0xEB), (0xC2, 0x3B, 0x22), (0x1A, 0x7F, 0x37), (0x8A, 0x3F, 0xC7), (0xB3, 0x6B, 0x00),
        (0x0B, 0x75, 0x85), (0xB0, 0x2A, 0x6F), (0x44, 0x4C, 0x56), (0x2D, 0x33, 0x9C),
    ]

    let number: Int

    /// A PNG image with a palette of two colours and one bit a pixel.
    var png: [UInt8] {
        let colour = Self.colours[number % Self.colours.count]
        let header: [UInt8] = [Self.side, Self.side].flatMap { Self.word(UInt32($0)) } + [1, 3, 0, 0, 0]
        let palette = [colour.0, colour.1, colour.2, 0xFF, 0xFF, 0xFF]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
            + Self.chunk("PLTE", palette) + Self.chunk("IDAT", ZlibStream.compressed(rows)) + Self.chunk("IEND", [])
    }

    /// Each row begins with the number of its filter, 0.
    private var rows: [UInt8] {
        var rows: [UInt8] = []
        for row in 0..<Self.side {
            rows.append(0)
            for start in stride(from: 0, to: Self.side, by: 8) {
                var byte: UInt8 = 0
                for column in start..<start + 8 { byte = byte << 1 | (isWhite(column, row) ? 1 : 0) }
                rows.append(byte)
            }
        }
        return rows
    }

    private func isWhite(_ column: Int, _ row: Int) -> Bool {
        let (x, y) = (column - Self.side / 2, row - Self.side / 2)
        let square = x * x + y * y
        switch number % 4 {
        case 0: return square < 28 * 28
        case 1: return (18 * 18..<30 * 30).contains(square)
        case 2: return abs(x) + abs(y) < 32
        default: return abs(x) < 26 && abs(y + x / 2) < 10
        }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return word(UInt32(content.count)) + named + word(UInt32(crc32(0, named, UInt32(named.count))))
    }

    private static func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
