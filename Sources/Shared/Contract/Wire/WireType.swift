package import JSONWire
package import SubGuardDomain

/// The JSON representation of one kind of value: how it is written, read, validated and described.
package struct WireType<Value: Sendable>: Sendable {
    /// The JSON Schema of a value.
    package let schema: @Sendable (inout WireComponents) -> JSONObject
    let write: @Sendable (Value, inout JSONWriter) -> Void
    /// Nil if the value has another type; the fault is then noted.
    let read: @Sendable (JSONValue, WireReading) -> Value?
    /// The example in the document if the field has none.
    let example: @Sendable () -> JSONValue
    /// Whether null is one of the values.
    private let hasNull: Bool

    package init(
        hasNull: Bool = false, schema: @escaping @Sendable (inout WireComponents) -> JSONObject,
        example: @escaping @Sendable () -> JSONValue, write: @escaping @Sendable (Value, inout JSONWriter) -> Void,
        read: @escaping @Sendable (JSONValue, WireReading) -> Value?
    ) {
        self.schema = schema
        self.write = write
        self.read = read
        self.example = example
        self.hasNull = hasNull
    }

    /// Reads a member or an element that is there. Null has the same fault as a missing value, whatever the type.
    func readGiven(_ json: JSONValue, _ reading: WireReading) -> Value? {
        guard json.isNull, !hasNull else { return read(json, reading) }
        reading.note(.required, "Must not be null.")
        return nil
    }

    func json(_ value: Value) -> JSONValue {
        var writer = JSONWriter()
        write(value, &writer)
        return (try? JSONValue.parse(writer.bytes)) ?? .null
    }

    /// The same type as a named component of the document.
    package func named(_ name: String) -> WireType {
        WireType(
            hasNull: hasNull, schema: { [schema] components in components.reference(name, schema) }, example: example,
            write: write, read: read)
    }

    /// The same type with a description in its schema.
    package func described(_ text: String) -> WireType {
        WireType(
            hasNull: hasNull,
            schema: { [schema] components in
                var schema = schema(&components)
                schema.members.insert(("description", .string(text)), at: 0)
                return schema
            }, example: example, write: write, read: read)
    }

    /// The same type in the document, read as another type: a client accepts values of newer servers.
    package func read(as other: WireType) -> WireType {
        WireType(hasNull: hasNull, schema: schema, example: example, write: write, read: other.read)
    }

    /// The same type with an additional rule. `rule` returns the fault of a value, nil if it is valid.
    package func checking(
        _ rule: @escaping @Sendable (Value) -> (code: FaultCode, sentence: Sentence)?
    ) -> WireType {
        WireType(hasNull: hasNull, schema: schema, example: example, write: write) { [read] json, reading in
            guard let value = read(json, reading) else { return nil }
            guard let fault = rule(value) else { return value }
            reading.note(fault.code, fault.sentence)
            return nil
        }
    }
}

extension WireType where Value: WireObject {
    /// Another wire object. Its schema is looked up when it is used, because it may contain this one.
    package static var object: WireType {
        WireType {
            Value.wire.reference(&$0)
        } example: {
            Value.wire.example
        } write: {
            $0.write(to: &$1)
        } read: { json, reading in
            read(json, Value.wire, reading)
        }
    }
}

extension WireType {
    /// An object with this schema, for a value that has several representations or none of its own.
    package static func object(_ wire: WireSchema<Value>) -> WireType {
        WireType {
            wire.reference(&$0)
        } example: {
            wire.example
        } write: {
            wire.write($0, to: &$1)
        } read: { json, reading in
            read(json, wire, reading)
        }
    }

    private static func read(_ json: JSONValue, _ wire: WireSchema<Value>, _ reading: WireReading) -> Value? {
        guard let object = json.objectValue else {
            reading.note(.invalidType, "Must be an object.")
            return nil
        }
        return wire.read(object, reading)
    }

    /// A type that is only written.
    package static func written(
        _ schema: JSONObject, example: JSONValue, _ write: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) -> WireType {
        WireType(schema: { _ in schema }, example: { example }, write: write) { _, reading in
            reading.note(.invalidType, "Is only written.")
            return nil
        }
    }

    /// A value represented by another type, such as an identifier by a text. `decode` returns nil for an invalid value;
    /// `code` and `sentence` describe the fault.
    package static func converted<Raw>(
        _ type: WireType<Raw>, else code: FaultCode, _ sentence: Sentence,
        encode: @escaping @Sendable (Value) -> Raw, decode: @escaping @Sendable (Raw) -> Value?
    ) -> WireType {
        WireType(schema: type.schema, example: type.example) {
            type.write(encode($0), &$1)
        } read: { json, reading in
            guard let raw = type.read(json, reading) else { return nil }
            let value = decode(raw)
            if value == nil { reading.note(code, sentence) }
            return value
        }
    }

    /// An array. Unreadable elements are faults at their own index.
    ///
    /// - Parameter of: the plural used in the message of a type fault, such as "ids" or "numbers of users".
    package static func array<Element>(
        of type: WireType<Element>, count: ClosedRange<Int>? = nil, called noun: String = "values"
    ) -> WireType where Value == [Element] {
        array(type, count, noun) { { _ in false } }
    }

    /// An array without duplicate elements.
    package static func set<Element: Hashable>(
        of type: WireType<Element>, count: ClosedRange<Int>? = nil, called noun: String = "values"
    ) -> WireType where Value == [Element] {
        set(of: type, count: count, called: noun) { $0 }
    }

    /// An array whose elements have distinct keys.
    package static func set<Element>(
        of type: WireType<Element>, count: ClosedRange<Int>? = nil, called noun: String = "values",
        by key: @escaping @Sendable (Element) -> some Hashable
    ) -> WireType where Value == [Element] {
        var array = array(type, count, noun) {
            var seen: Set<AnyHashable> = []
            return { !seen.insert(AnyHashable(key($0))).inserted }
        }
        let schema = array.schema
        array = WireType(
            schema: {
                var schema = schema(&$0)
                schema.set("uniqueItems", true)
                return schema
            }, example: array.example, write: array.write, read: array.read)
        return array
    }

    private static func array<Element>(
        _ type: WireType<Element>, _ count: ClosedRange<Int>?, _ noun: String,
        repetitions: @escaping @Sendable () -> (Element) -> Bool
    ) -> WireType where Value == [Element] {
        WireType { components in
            var schema: JSONObject = ["type": "array"]
            if let count {
                if count.lowerBound > 0 { schema.set("minItems", .integer(count.lowerBound)) }
                if count.upperBound < .max { schema.set("maxItems", .integer(count.upperBound)) }
            }
            schema.set("items", .object(type.schema(&components)))
            return schema
        } example: {
            .array(Array(repeating: type.example(), count: max(count?.lowerBound ?? 1, 1)))
        } write: { elements, writer in
            writer.beginArray()
            for element in elements { type.write(element, &writer) }
            writer.endArray()
        } read: { json, reading in
            guard let elements = json.arrayValue else {
                reading.note(.invalidType, "Must be an array of \(noun).")
                return nil
            }
            let isCountGood = count?.contains(elements.count) ?? true
            if let count, !isCountGood { reading.note(.outOfRange, sentence(of: count, noun)) }
            var values: [Element] = []
            values.reserveCapacity(elements.count)
            let isRepeated = repetitions()
            for (index, element) in elements.enumerated() {
                reading.at(index) {
                    guard let value = type.readGiven(element, reading) else { return }
                    if isRepeated(value) { reading.note(.duplicate, "Must be given once.") }
                    values.append(value)
                }
            }
            return isCountGood && values.count == elements.count ? values : nil
        }
    }

    private static func sentence(of count: ClosedRange<Int>, _ noun: String) -> Sentence {
        count.upperBound == .max
            ? "Must hold at least \(count.lowerBound) \(noun)."
            : count.lowerBound == 0
                ? "Must hold at most \(count.upperBound) \(noun)."
                : "Must hold \(count.lowerBound) to \(count.upperBound) \(noun)."
    }
}
