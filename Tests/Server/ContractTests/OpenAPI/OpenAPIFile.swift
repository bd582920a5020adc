import JSONWire
import TestKit
import Testing

/// `docs/openapi.json` of the repository, for tests that compare it with the code.
struct OpenAPIFile {
    /// One operation of the document.
    struct Operation {
        let method: String
        let path: String
        let object: JSONObject

        var parameters: [JSONValue] { object["parameters"]?.arrayValue ?? [] }
        var responses: [(status: String, value: JSONValue)] {
            (object["responses"]?.objectValue?.members ?? []).map { ($0.name, $0.value) }
        }
    }

    /// Parsed once: every test case makes its own file.
    private static let parsed = Result { try JSONValue.parse(try RepositoryFile.bytes("docs/openapi.json")) }

    let root: JSONValue

    init() throws { root = try Self.parsed.get() }

    var operations: [Operation] {
        (root["paths"]?.objectValue?.members ?? []).flatMap { path in
            (path.value.objectValue?.members ?? []).compactMap { method in
                method.value.objectValue.map {
                    Operation(method: method.name.uppercased(), path: path.name, object: $0)
                }
            }
        }
    }

    func component(_ kind: String, _ name: String) throws -> JSONValue {
        try #require(root["components"]?[kind]?[name], "components/\(kind)/\(name)")
    }

    func schema(_ name: String) throws -> JSONValue { try component("schemas", name) }

    /// The value itself, or the target of its `$ref`.
    func resolved(_ value: JSONValue) throws -> JSONValue {
        guard let reference = value["$ref"]?.stringValue else { return value }
        let parts = reference.split(separator: "/").map(String.init)
        try #require(parts.first == "#", "\(reference) leads out of the document")
        var target = root
        for part in parts.dropFirst() { target = try #require(target[part], "\(reference) leads nowhere") }
        return try resolved(target)
    }

    /// All objects in the document, outer before inner.
    var objects: [JSONObject] { Self.objects(in: root) }

    private static func objects(in value: JSONValue) -> [JSONObject] {
        switch value {
        case .object(let object): [object] + object.members.flatMap { objects(in: $0.value) }
        case .array(let elements): elements.flatMap { objects(in: $0) }
        default: []
        }
    }
}

extension JSONValue {
    /// The strings of an array; nil if it contains other values.
    var strings: [String]? {
        guard let elements = arrayValue else { return nil }
        let strings = elements.compactMap(\.stringValue)
        return strings.count == elements.count ? strings : nil
    }

    /// The value with all members sorted by name, so that comparisons ignore their order.
    var unordered: JSONValue {
        switch self {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { ($0.name, $0.value.unordered) }
                        .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }))
        case .array(let elements): .array(elements.map(\.unordered))
        default: self
        }
    }
}
