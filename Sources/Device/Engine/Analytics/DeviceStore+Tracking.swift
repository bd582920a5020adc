import JSONWire
import SubGuardDomain

/// The value of an event's property.
public enum EventValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A text, such as `yearly`; which texts a property takes is in `EventRegistry`.
    case text(String)
    /// A whole number; which numbers a property takes is in `EventRegistry`.
    case integer(Int64)

    /// A text, from a string literal.
    public init(stringLiteral text: String) { self = .text(text) }
    /// A whole number, from an integer literal.
    public init(integerLiteral integer: Int64) { self = .integer(integer) }

    fileprivate func isValid(for kind: PropertyKind) -> Bool {
        switch self {
        case .text(let text): kind.accepts(text: text)
        case .integer(let integer): kind.accepts(integer: integer)
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .integer(let integer): .integer(integer)
        }
    }
}

extension DeviceStore.Analytics {
    /// Queues an event that the engine does not see by itself, such as `premium_conversion` from the app's paywall. The
    /// vocabulary is `EventRegistry`: an event or property that it lacks is refused, so nothing else can ever leave the
    /// device. Nothing is queued once consent was revoked. A milestone is queued the first time only.
    ///
    /// ```swift
    /// try store.analytics.track(
    ///     "premium_conversion", ["price_tier": "yearly", "days_since_first_launch": 12], at: moment)
    /// ```
    ///
    /// Throws ``DeviceStoreError/invalid(_:)`` naming `name`, or the property.
    public func track(_ name: String, _ properties: [String: EventValue] = [:], at moment: Moment) throws {
        guard let definition = EventRegistry.definition(named: name) else {
            let known = EventRegistry.events.map(\.name).joined(separator: ", ")
            throw DeviceStoreError.invalid(Fault("name", .unknownValue, "Must be one of \(known)."))
        }
        let values = try properties.sorted { $0.key < $1.key }.map { name, value -> (name: String, value: JSONValue) in
            guard let property = definition.property(named: name) else {
                let known = definition.properties.map(\.name).joined(separator: ", ")
                throw DeviceStoreError.invalid(Fault(name, .unknownField, "Must be one of \(known)."))
            }
            guard value.isValid(for: property.kind) else {
                throw DeviceStoreError.invalid(Fault(name, .invalidFormat, property.kind.rule))
            }
            return (name, value.json)
        }
        try store.write(at: moment) { unit in
            if definition.countsOncePerUser {
                try unit.reach(name, values)
            } else {
                try unit.record(name, values)
            }
        }
    }
}

extension PropertyKind {
    fileprivate var rule: Sentence {
        switch self {
        case .shortText(let maximumBytes): "Must have 1 to \(maximumBytes) printable ASCII characters."
        case .locale: "Must be a language tag such as fr-CH."
        case .uuid: "Must be a UUID."
        case .integer(let range): "Must be a whole number from \(range.lowerBound) to \(range.upperBound)."
        }
    }
}
