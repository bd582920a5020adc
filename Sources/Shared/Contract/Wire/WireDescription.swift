package import JSONWire
import SubGuardDomain

/// What documents say of a ``WireObject``, and which members it may have. Not generic, so that it is compiled once
/// instead of once for each object.
final class WireDescription: Sendable {
    /// The name of the component in the OpenAPI document; nil for an object that is described inline.
    let name: String?
    private let text: String
    let members: [WireMemberDescription]
    /// The names of the members, to look one up.
    let knownNames: Set<String>
    private let unknown: WireReading.Unknown?
    private let rules: JSONObject

    init(
        name: String?, text: String, members: [WireMemberDescription], unknown: WireReading.Unknown?, rules: JSONObject
    ) {
        self.name = name
        self.text = text
        self.members = members
        knownNames = Set(members.map(\.name))
        self.unknown = unknown
        self.rules = rules
    }

    /// Notes a fault for each undeclared member, unless they are ignored.
    func noteUnknownMembers(of object: JSONObject, _ reading: WireReading) {
        guard unknown ?? reading.unknown == .refused else { return }
        for member in object.members where !knownNames.contains(member.name) {
            reading.at(member.name) {
                if reading.isText {
                    reading.note(.unknownParameter, "There is no such parameter.")
                } else {
                    reading.note(.unknownField, "There is no such field.")
                }
            }
        }
    }

    func schema(_ components: inout WireComponents) -> JSONObject {
        var schema: JSONObject = ["type": "object"]
        if !text.isEmpty { schema = ["description": .string(text), "type": "object"] }
        schema.set(
            "properties", .object(JSONObject(members.map { ($0.name, .object($0.schema(&components))) })))
        let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema.set("required", .array(required)) }
        if unknown != .ignored { schema.set("additionalProperties", false) }
        for rule in rules.members { schema.set(rule.name, rule.value) }
        return schema
    }

    func reference(_ components: inout WireComponents) -> JSONObject {
        guard let name else { return schema(&components) }
        return components.reference(name) { schema(&$0) }
    }

    var example: JSONValue {
        .object(JSONObject(members.compactMap { member in member.example().map { (member.name, $0) } }))
    }

    func parameters(_ components: inout WireComponents) -> [JSONValue] {
        members.map { member in
            var schema = member.schema(&components)
            var parameter: JSONObject = ["name": .string(member.name), "in": "query"]
            if let description = schema["description"] {
                parameter.set("description", description)
                schema.members.removeAll { $0.name == "description" }
            }
            if member.isRequired { parameter.set("required", true) }
            parameter.set("schema", .object(schema))
            return .object(parameter)
        }
    }
}

/// What documents say of one member.
struct WireMemberDescription: Sendable {
    let name: String
    let text: String
    let isRequired: Bool
    let isNullable: Bool
    let typeSchema: @Sendable (inout WireComponents) -> JSONObject
    /// Returns nil if the example of the object omits the member.
    var example: @Sendable () -> JSONValue?
    /// The default of an omitted member.
    var fallback: JSONValue?

    /// The JSON Schema of the member.
    func schema(_ components: inout WireComponents) -> JSONObject {
        var schema = typeSchema(&components)
        if isNullable {
            // `type: [x, null]` for a single type, otherwise a choice with null that code generators support.
            if case .string(let type)? = schema["type"], schema["enum"] == nil {
                schema.set("type", [.string(type), "null"])
            } else {
                schema = ["anyOf": [.object(schema), ["type": "null"]]]
            }
        }
        if !text.isEmpty {
            schema.members.removeAll { $0.name == "description" }
            schema.members.insert(("description", .string(text)), at: 0)
        }
        if let fallback { schema.set("default", fallback) }
        return schema
    }
}

/// The named schemas of a document, collected as they are referenced.
package struct WireComponents {
    package private(set) var schemas: [(name: String, schema: JSONObject)] = []

    package init() {}

    /// Returns a reference to the component and adds it on first use. Names must be unique; tests of the document
    /// detect a second schema with the same name.
    package mutating func reference(
        _ name: String, _ schema: (inout WireComponents) -> JSONObject
    ) -> JSONObject {
        if !schemas.contains(where: { $0.name == name }) {
            let index = schemas.count
            schemas.append((name, [:]))
            let schema = schema(&self)
            schemas[index].schema = schema
        }
        return ["$ref": .string("#/components/schemas/\(name)")]
    }
}
