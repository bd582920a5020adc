package import JSONWire

/// The declaration of a ``WireObject``: its name and its members in output order.
///
/// A class, because every object that is written or read asks for its declaration.
package final class WireSchema<Object: Sendable>: Sendable {
    let description: WireDescription
    let members: [WireMember<Object>]
    private let make: (@Sendable (JSONObject, WireReading) -> Object?)?
    /// What writes each member.
    private let writers: [WireMember<Object>.Writer]

    /// An object that is read and written. `make` receives the values in the order of the fields, like a memberwise
    /// initialiser.
    ///
    /// - Parameters:
    ///   - name: of the component in the OpenAPI document; nil for an object that is described inline.
    ///   - unknown: how to handle undeclared members. Default: as the caller of the reader specifies.
    ///   - rules: additional JSON Schema keywords for rules that involve several fields.
    ///   - check: notes faults that involve several values. Called only if all fields are readable.
    package init<each Value: Sendable>(
        _ name: String?, _ description: String = "", make: @escaping @Sendable (repeat each Value) -> Object,
        _ fields: repeat Field<Object, each Value>, unknown: WireReading.Unknown? = nil, rules: JSONObject = [:],
        check: (@Sendable (Object, WireReading) -> Void)? = nil
    ) {
        var members: [WireMember<Object>] = []
        for field in repeat each fields { members += field.members }
        self.members = members
        (self.description, writers) = WireSchema.parts(name, description, members, unknown, rules)
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
        members = fields()
        (self.description, writers) = WireSchema.parts(name, description, members, unknown, rules)
        make = nil
    }

    // Not in the initializer: with a key path, a function with a parameter pack crashes in optimized builds (Swift
    // 6.3).
    private static func parts(
        _ name: String?, _ text: String, _ members: [WireMember<Object>], _ unknown: WireReading.Unknown?,
        _ rules: JSONObject
    ) -> (WireDescription, [WireMember<Object>.Writer]) {
        let members = (descriptions: members.map(\.description), writers: members.map(\.writer))
        return (
            WireDescription(name: name, text: text, members: members.descriptions, unknown: unknown, rules: rules),
            members.writers
        )
    }

    /// The name of the component in the OpenAPI document; nil for an object that is described inline.
    package var name: String? { description.name }

    /// Whether the object can be read.
    package var isReadable: Bool { make != nil }

    package var names: [String] { description.members.map(\.name) }

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
        description.noteUnknownMembers(of: object, reading)
        return make?(object, reading)
    }

    /// The inline JSON Schema of the object. Adds the components that it references.
    package func schema(_ components: inout WireComponents) -> JSONObject { description.schema(&components) }

    /// A reference to the object's component, or its inline schema if it has no name.
    package func reference(_ components: inout WireComponents) -> JSONObject { description.reference(&components) }

    /// An object built from the examples of its fields.
    package var example: JSONValue { description.example }

    /// The fields as OpenAPI query parameters.
    package func parameters(_ components: inout WireComponents) -> [JSONValue] { description.parameters(&components) }

    private struct Absent: Error {}

    private static func present<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Absent() }
        return value
    }
}
