package import JSONWire
import Publication
package import SubGuardContract
import SubGuardDomain

/// The OpenAPI 3.1 document, generated from the declared operations and objects.
package enum OpenAPIDocument {
    /// The formatted document in `docs/openapi.json`.
    package static func text() -> [UInt8] { Array(make().readable().utf8) + [0x0A] }

    /// The compact document served by the server.
    package static func served() -> [UInt8] { make().serialized() }

    /// The document as a tree.
    package static func make(_ operations: [APIOperation] = APIOperation.all) -> JSONValue {
        var assembly = OpenAPIAssembly()
        var paths = JSONObject()
        for operation in operations {
            let object = assembly.object(of: operation)
            var path = paths[operation.template]?.objectValue ?? [:]
            path.set(operation.method.rawValue.lowercased(), .object(object))
            paths.set(operation.template, .object(path))
        }
        return [
            "openapi": "3.1.0", "info": info,
            "servers": [
                [
                    "url": .string(PublishedPath.prefix.isEmpty ? "/" : PublishedPath.prefix),
                    "description": "The server of this document.",
                ]
            ],
            "tags": .array(
                APIOperation.Tag.allCases.map { ["name": .string($0.rawValue), "description": .string($0.text)] }),
            "security": [], "paths": .object(paths), "components": .object(assembly.components),
        ]
    }

    private static let info: JSONValue = [
        "title": "SubGuard", "version": "1.0.0",
        "summary": "Catalogue, suggestions, analytics and administration of a SubGuard server.",
        "description": """
        JSON in UTF-8 with names in snake_case. Instants are RFC 3339 in UTC, amounts decimal strings beside an ISO \
        4217 code, ids lower-case UUIDs.

        Errors are `application/problem+json` (RFC 9457) with a stable `code`. Every response has `X-Request-Id`.

        HEAD works wherever GET does and returns no body; OPTIONS returns 204 with `Allow`. Another method on a known \
        address returns 405 with `Allow`, an unknown address 404. A GET whose `If-Match` does not match returns 412. \
        Responses may be compressed with gzip, each coding with its own `ETag`; request bodies may be sent as gzip or \
        deflate.

        Admin calls need `Authorization: Bearer` with an access token whose role has the permission in `x-permission`.
        """, "license": ["name": "MIT", "identifier": "MIT"],
    ]
}

extension APIOperation.Tag {
    fileprivate var text: String {
        switch self {
        case .operations: "Running the server, and what it stores about people."
        case .catalogue: "The catalogue that devices copy."
        case .rates: "Exchange rates that devices take along."
        case .suggestions: "Services that the catalogue lacks, suggested by devices."
        case .analytics: "Usage events from devices."
        case .crashes: "Crashes and sessions."
        case .accounts: "Sign in with Apple, sessions and erasure."
        case .premium: "Purchases at the App Store."
        case .administration: "For editors and analysts with an access token."
        }
    }
}

extension JSONValue {
    /// The value as formatted text for reading and line-by-line comparison: values that fit into 120 columns take one
    /// line, all others are indented by two columns per level.
    func readable(indent: Int = 0, column: Int = 0) -> String {
        let compact = spaced
        if column + compact.unicodeScalars.count < 120, depth < 4 { return compact }
        let (margin, end) = (String(repeating: " ", count: indent + 2), "\n" + String(repeating: " ", count: indent))
        switch self {
        case .object(let object) where !object.members.isEmpty:
            let members = object.members.map { member in
                let name = JSONValue.string(member.name).spaced + ": "
                return margin + name
                    + member.value.readable(indent: indent + 2, column: indent + 2 + name.unicodeScalars.count)
            }
            return "{\n" + members.joined(separator: ",\n") + end + "}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { margin + $0.readable(indent: indent + 2, column: indent + 2) }
            return "[\n" + lines.joined(separator: ",\n") + end + "]"
        default: return compact
        }
    }

    /// On one line, with a space after each comma and colon.
    private var spaced: String {
        switch self {
        case .object(let object):
            "{"
                + object.members.map { JSONValue.string($0.name).spaced + ": " + $0.value.spaced }.joined(
                    separator: ", ")
                + "}"
        case .array(let elements): "[" + elements.map(\.spaced).joined(separator: ", ") + "]"
        default: String(decoding: serialized(), as: UTF8.self)
        }
    }

    private var depth: Int {
        switch self {
        case .object(let object): 1 + (object.members.map(\.value.depth).max() ?? 0)
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        default: 0
        }
    }
}
