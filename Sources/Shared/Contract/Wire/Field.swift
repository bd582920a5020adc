package import JSONWire
import SubGuardDomain

/// One member of a wire object: its name, value, type and description.
///
/// - A plain field is required and never null.
/// - `nullable:` is always written, as null if there is no value.
/// - `optional:` is omitted if there is no value; with `orNull`, requests may also contain null.
/// - `default:` may be omitted from a request and then has the default value.
/// - `patch:` is for changes: an omitted member keeps the current value, null clears it.
package struct Field<Object: Sendable, Value: Sendable>: Sendable {
    private(set) var members: [WireMember<Object>]
    let read: @Sendable (JSONObject, WireReading) -> Value?

    package init(
        _ name: String, _ get: @escaping @Sendable (Object) -> Value, _ type: WireType<Value>,
        _ description: String = "", example: Value? = nil
    ) {
        let key = JSONKey(name)
        members = [
            WireMember(name, description, isRequired: true, type, isNullable: false, example) {
                $1.key(key)
                type.write(get($0), &$1)
            }
        ]
        read = { object, reading in
            reading.at(name) {
                guard let value = object[name], !value.isNull else {
                    reading.note(.required, "Must be given.")
                    return nil
                }
                return type.read(value, reading)
            }
        }
    }

    package init(
        _ name: String, _ get: @escaping @Sendable (Object) -> Value, _ type: WireType<Value>,
        _ description: String = "", default fallback: Value
    ) {
        let key = JSONKey(name)
        var member = WireMember<Object>(name, description, isRequired: false, type, isNullable: false, fallback) {
            $1.key(key)
            type.write(get($0), &$1)
        }
        member.description.fallback = type.json(fallback)
        members = [member]
        read = { object, reading in
            guard let value = object[name] else { return fallback }
            return reading.at(name) { type.readGiven(value, reading) }
        }
    }

    package init<Wrapped>(
        _ name: String, _ get: @escaping @Sendable (Object) -> Wrapped?, nullable type: WireType<Wrapped>,
        _ description: String = ""
    ) where Value == Wrapped? {
        let key = JSONKey(name)
        members = [
            WireMember<Object>(name, description, isRequired: true, type, isNullable: true, nil) {
                $1.key(key)
                if let value = get($0) { type.write(value, &$1) } else { $1.null() }
            }
        ]
        read = { object, reading in Self.readOptional(name, type, object, reading, orNull: true) }
    }

    /// With an example; a nil example is written as null.
    package init<Wrapped>(
        _ name: String, _ get: @escaping @Sendable (Object) -> Wrapped?, nullable type: WireType<Wrapped>,
        _ description: String = "", example: Wrapped?
    ) where Value == Wrapped? {
        let field = Field(name, get, nullable: type, description)
        self.init(field.members, field.read)
        let example = example.map(type.json) ?? .null
        members[0].description.example = { example }
    }

    package init<Wrapped>(
        _ name: String, _ get: @escaping @Sendable (Object) -> Wrapped?, optional type: WireType<Wrapped>,
        orNull: Bool = false, _ description: String = "", example: Wrapped? = nil
    ) where Value == Wrapped? {
        let key = JSONKey(name)
        var member = WireMember<Object>(name, description, isRequired: false, type, isNullable: orNull, example) {
            guard let value = get($0) else { return }
            $1.key(key)
            type.write(value, &$1)
        }
        if example == nil { member.description.example = { nil } }
        members = [member]
        read = { object, reading in Self.readOptional(name, type, object, reading, orNull: orNull) }
    }

    package init<Wrapped>(
        _ name: String, _ get: @escaping @Sendable (Object) -> Change<Wrapped>, patch type: WireType<Wrapped>,
        orNull: Bool = false, _ description: String = "", example: Wrapped? = nil
    ) where Value == Change<Wrapped> {
        let key = JSONKey(name)
        var member = WireMember<Object>(name, description, isRequired: false, type, isNullable: orNull, example) {
            guard case .set(let value) = get($0) else { return }
            $1.key(key)
            if let value { type.write(value, &$1) } else { $1.null() }
        }
        if example == nil { member.description.example = { nil } }
        members = [member]
        read = { object, reading in
            guard let value = object[name] else { return .keep }
            if value.isNull, orNull { return .set(nil) }
            return reading.at(name) { type.readGiven(value, reading) }.map { .set($0) }
        }
    }

    /// Adds the members of another object to this one.
    package init(flattening get: @escaping @Sendable (Object) -> Value) where Value: WireObject {
        let wire = Value.wire
        // The first member writes all of them, so that the inner object is made once.
        members = wire.members.enumerated().map { index, member in
            index == 0
                ? member.mapped { wire.writeMembers(get($0), to: &$1) } : member.mapped { _, _ in }
        }
        read = { object, reading in
            // Excludes the members of the outer object, which would be unknown to the inner one.
            wire.read(JSONObject(object.members.filter { wire.description.knownNames.contains($0.name) }), reading)
        }
    }

    private init(_ members: [WireMember<Object>], _ read: @escaping @Sendable (JSONObject, WireReading) -> Value?) {
        self.members = members
        self.read = read
    }

    /// Reads two members as one value; each may depend on the other.
    init<First, Second>(
        _ first: Field<Object, First>, _ second: Field<Object, Second>,
        read: @escaping @Sendable (JSONObject, WireReading) -> Value?
    ) {
        self.init(first.members + second.members, read)
    }

    /// Adds a rule that may read other members. It is checked even if the field itself is unreadable.
    package func checking(_ rule: @escaping @Sendable (JSONObject, WireReading) -> Void) -> Field {
        Field(members) { [read] object, reading in
            let value = read(object, reading)
            rule(object, reading)
            return value
        }
    }

    private static func readOptional<Wrapped>(
        _ name: String, _ type: WireType<Wrapped>, _ object: JSONObject, _ reading: WireReading, orNull: Bool
    ) -> Value? where Value == Wrapped? {
        guard let value = object[name], !(orNull && value.isNull) else { return .some(nil) }
        return reading.at(name) { type.readGiven(value, reading) }.map { .some($0) }
    }
}

/// A change of a member: keep, clear or set.
package enum Change<Value: Sendable>: Sendable {
    case keep
    /// Nil clears the member.
    case set(Value?)

    /// Applies the change to the current value.
    package func applied(to value: Value?) -> Value? {
        switch self {
        case .keep: value
        case .set(let new): new
        }
    }
}

extension Change: Equatable where Value: Equatable {}

/// A field without the type of its value: writes and describes it.
package struct WireMember<Object: Sendable>: Sendable {
    /// Writes the member. A type of its own: an array of functions would wrap each in another one.
    struct Writer: Sendable {
        let write: @Sendable (Object, inout JSONWriter) -> Void
    }

    var description: WireMemberDescription
    let writer: Writer

    init<Value>(
        _ name: String, _ description: String, isRequired: Bool, _ type: WireType<Value>, isNullable: Bool,
        _ example: Value?, _ write: @escaping @Sendable (Object, inout JSONWriter) -> Void
    ) {
        let value = example.map(type.json)
        self.init(
            WireMemberDescription(
                name: name, text: description, isRequired: isRequired, isNullable: isNullable, typeSchema: type.schema,
                example: { value ?? type.example() }),
            write)
    }

    private init(
        _ description: WireMemberDescription, _ write: @escaping @Sendable (Object, inout JSONWriter) -> Void
    ) {
        self.description = description
        writer = Writer(write: write)
    }

    /// The same member for an object that contains `Object`.
    func mapped<Outer>(_ write: @escaping @Sendable (Outer, inout JSONWriter) -> Void) -> WireMember<Outer> {
        WireMember<Outer>(description, write)
    }
}

/// Collects the fields of an object that is only written.
@resultBuilder
package enum WireMembers<Object: Sendable> {
    package static func buildExpression<Value>(_ field: Field<Object, Value>) -> [WireMember<Object>] { field.members }

    package static func buildBlock(_ members: [WireMember<Object>]...) -> [WireMember<Object>] {
        members.flatMap { $0 }
    }
}
