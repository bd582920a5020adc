package import JSONWire
import SubGuardDomain

/// The declaration of a ``WireObject``: its name and its members in output order.
///
/// A class, because every object that is written or read asks for its declaration.
package final class WireSchema<Object: Sendable>: Sendable {
    /// The name of the component in the OpenAPI document; nil for an object that is described inline.
    package let name: String?
    package let description: String
    let members: [WireMember<Object>]
    private let make: (@Sendable (JSONObject, WireReading) -> Object?)?
    /// What writes each member.
    private let writers: [WireMember<Object>.Writer]
    /// The names of the members, to look one up.
    let knownNames: Set<String>
    private let unknown: WireReading.Unknown?
    private let rules: JSONObject

    /// An object that is read and written. `make` receives the values in the order of the fields, like a memberwise
    /// initialiser.
    ///
    /// - Parameters:
    ///   - unknown: how to handle undeclared members. Default: as the caller of the reader specifies.
    ///   - rules: additional JSON Schema keywords for rules that involve several fields.
    ///   - check: notes faults that involve several values. Called only if all fields are readable.
    package init<each Value: Sendable>(
        _ name: String?, _ description: String = "", make: @escaping @Sendable (repeat each Value) -> Object,
        _ fields: repeat Field<Object, each Value>, unknown: WireReading.Unknown? = nil, rules: JSONObject = [:],
        check: (@Sendable (Object, WireReading) -> Void)? = nil
    ) {
        self.name = name
        self.description = description
        self.unknown = unknown
        self.rules = rules
        var members: [WireMember<Object>] = []
        for field in repeat each fields { members += field.members }
        self.members = members
        knownNames = WireSchema.names(of: members)
        writers = WireSchema.writers(of: members)
        let fields = (repeat each fields)
        self.make = { object, reading in
            let values = (repeat (each fields).read(object, reading))
            do {
                let object = make(repeat try WireSchema.present(each values))
                check?(object, reading)
                return object
            } catch {
                return nil
            }
        }
    }

    /// An object that is only written. With `unknown: .ignored`, it may have additional members.
    package init(
        _ name: String?, _ description: String = "", unknown: WireReading.Unknown? = nil, rules: JSONObject = [:],
        @WireMembers<Object> fields: () -> [WireMember<Object>]
    ) {
        self.name = name
        self.description = description
        self.rules = rules
        members = fields()
        knownNames = WireSchema.names(of: members)
        writers = WireSchema.writers(of: members)
        make = nil
        self.unknown = unknown
    }

    /// Whether the object can be read.
    package var isReadable: Bool { make != nil }

    private static func writers(of members: [WireMember<Object>]) -> [WireMember<Object>.Writer] {
        members.map { $0.writer }
    }

    // Not a key path in the initializer: in a function with a parameter pack it crashes in optimized builds (Swift
    // 6.3).
    private static func names(of members: [WireMember<Object>]) -> Set<String> { Set(members.map { $0.name }) }

    package var names: [String] { members.map(\.name) }

    package func write(_ object: Object, to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(object, to: &writer)
        writer.endObject()
    }

    /// Writes the members without the braces.
    func writeMembers(_ object: Object, to writer: inout JSONWriter) {
        // By index: iterating would copy each declaration.
        for index in writers.indices { writers[index].write(object, &writer) }
    }

    /// Nil if a field is unreadable; the faults are then in `reading`.
    func read(_ object: JSONObject, _ reading: WireReading) -> Object? {
        if unknown ?? reading.unknown == .refused {
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
        return make?(object, reading)
    }

    /// The inline JSON Schema of the object. Adds the components that it references.
    package func schema(_ components: inout WireComponents) -> JSONObject {
        var schema: JSONObject = ["type": "object"]
        if !description.isEmpty { schema = ["description": .string(description), "type": "object"] }
        schema.set(
            "properties", .object(JSONObject(members.map { ($0.name, .object($0.schema(&components))) })))
        let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema.set("required", .array(required)) }
        if unknown != .ignored { schema.set("additionalProperties", false) }
        for rule in rules.members { schema.set(rule.name, rule.value) }
        return schema
    }

    /// A reference to the object's component, or its inline schema if it has no name.
    package func reference(_ components: inout WireComponents) -> JSONObject {
        guard let name else { return schema(&components) }
        return components.reference(name) { schema(&$0) }
    }

    /// An object built from the examples of its fields.
    package var example: JSONValue {
        .object(JSONObject(members.compactMap { member in member.example().map { (member.name, $0) } }))
    }

    /// The fields as OpenAPI query parameters.
    package func parameters(_ components: inout WireComponents) -> [JSONValue] {
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

    private struct Absent: Error {}

    private static func present<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Absent() }
        return value
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
