package import JSONWire
import SubGuardDomain

/// The server's description of itself, OpenAPI 3.1. What the event registry decides is written from the registry, the
/// rest stands in `docs/openapi.json`.
public enum OpenAPIDocument {
    /// The document that is served, compact.
    package static func served() throws(JSONError) -> [UInt8] {
        var document = try JSONValue.parse(Array(EmbeddedOpenAPI.json.utf8))
        document.set(["components", "schemas", "EventName", "enum"], eventNames)
        document.set(["components", "schemas", "EventProperties", "properties"], eventProperties)
        return document.serialized()
    }

    private static var eventNames: JSONValue {
        .array(EventRegistry.events.map { .string($0.name) })
    }

    private static var eventProperties: JSONValue {
        var members: [(name: String, value: JSONValue)] = []
        for property in EventRegistry.events.flatMap(\.properties)
        where !members.contains(where: { $0.name == property.name }) {
            members.append((property.name, .object(JSONObject(property.kind.schema))))
        }
        return .object(JSONObject(members))
    }
}

extension JSONValue {
    /// Replaces the value at a path of names. A path that does not exist is left alone: the test that compares the
    /// document with the registry then fails.
    fileprivate mutating func set(_ path: [String], _ value: JSONValue) {
        guard let name = path.first else {
            self = value
            return
        }
        guard case .object(var object) = self, let index = object.members.firstIndex(where: { $0.name == name }) else {
            return
        }
        object.members[index].value.set(Array(path.dropFirst()), value)
        self = .object(object)
    }
}
