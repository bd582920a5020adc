package import Backend
import JSONWire

/// The fields of an audited change, before and after.
package struct AuditDiff: Sendable {
    package struct Field: Sendable, Hashable {
        package let name: String
        package let before: String?
        package let after: String?

        package var isChanged: Bool { before != after }
    }

    /// In the order of the newer state; fields that only the older one has come last.
    package let fields: [Field]
    /// The name of what was changed, if a state has one.
    package let subject: String?

    package init(_ change: AuditChange) {
        let (before, after) = (Self.members(change.before), Self.members(change.after))
        let newer = after ?? before ?? []
        let names =
            newer.map(\.name) + (before ?? []).map(\.name).filter { name in !newer.contains { $0.name == name } }
        fields = names.map { name in
            Field(
                name: name, before: before?.first { $0.name == name }?.text,
                after: after?.first { $0.name == name }?.text)
        }
        subject =
            ["name", "title", "slug", "token", "type", "culprit"].lazy.compactMap { key in
                (after ?? before)?.first { $0.name == key && !$0.text.isEmpty && $0.text != "–" }?.text
            }.first
    }

    /// A state that is no object has one field without a name.
    private static func members(_ json: String?) -> [(name: String, text: String)]? {
        guard let json else { return nil }
        guard let value = try? JSONValue.parse(Array(json.utf8)) else { return [(name: "", text: json)] }
        guard let object = value.objectValue else { return [(name: "", text: text(value))] }
        return object.members.map { (name: $0.name, text: text($0.value)) }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "–"
        case .bool(let value): "\(value)"
        case .number(let text), .string(let text): text
        case .array(let values) where values.allSatisfy { $0.stringValue != nil }:
            values.compactMap(\.stringValue).joined(separator: ", ")
        case .array, .object: String(decoding: value.serialized(), as: UTF8.self)
        }
    }
}
