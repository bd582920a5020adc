import Foundation
import JSONWire
import TestKit
import Testing

/// Validates values against the schemas of the document. Knows the keywords of JSON Schema that the document uses, and
/// fails on any other.
struct OpenAPISchemaCheck {
    let file: OpenAPIFile

    private struct UnknownKeyword: Error, CustomStringConvertible {
        let description: String
    }

    /// The places and keywords that the value breaks; empty if it is valid.
    func violations(of schema: JSONValue, by value: JSONValue, at place: String = "#") throws -> [String] {
        if let isValid = schema.boolValue { return isValid ? [] : ["\(place): false"] }
        return try (schema.objectValue?.members ?? []).flatMap { keyword, rule in
            let inner = try innerViolations(keyword, rule, schema, value, place)
            if let inner { return inner }
            return try isKept(keyword, rule, value) ? [] : ["\(place): \(keyword)"]
        }
    }

    /// The violations of a keyword that contains schemas; nil for other keywords.
    private func innerViolations(
        _ keyword: String, _ rule: JSONValue, _ schema: JSONValue, _ value: JSONValue, _ place: String
    ) throws -> [String]? {
        func isValid(_ schema: JSONValue) throws -> Bool { try violations(of: schema, by: value).isEmpty }
        let members = value.objectValue?.members ?? []
        switch keyword {
        case "$ref": return try violations(of: try file.resolved(schema), by: value, at: place)
        case "properties":
            return try members.flatMap { name, member in
                try rule[name].map { try violations(of: $0, by: member, at: "\(place)/\(name)") } ?? []
            }
        case "additionalProperties":
            return try members.filter { schema["properties"]?[$0.name] == nil }.flatMap { name, member in
                try violations(of: rule, by: member, at: "\(place)/\(name)")
            }
        case "propertyNames":
            return try members.flatMap { try violations(of: rule, by: .string($0.name), at: "\(place)/\($0.name)") }
        case "items":
            return try (value.arrayValue ?? []).enumerated().flatMap { index, element in
                try violations(of: rule, by: element, at: "\(place)/\(index)")
            }
        case "allOf": return try (rule.arrayValue ?? []).flatMap { try violations(of: $0, by: value, at: place) }
        case "anyOf": return try (rule.arrayValue ?? []).contains(where: isValid) ? [] : ["\(place): anyOf"]
        case "oneOf":
            return try (rule.arrayValue ?? []).filter(isValid).count == 1 ? [] : ["\(place): oneOf"]
        case "not": return try isValid(rule) ? ["\(place): not"] : []
        case "if":
            let branch = try isValid(rule) ? schema["then"] : schema["else"]
            return try branch.map { try violations(of: $0, by: value, at: place) } ?? []
        case "then", "else": return []
        default: return nil
        }
    }

    private func isKept(_ keyword: String, _ rule: JSONValue, _ value: JSONValue) throws -> Bool {
        switch keyword {
        case "type": return (rule.strings ?? [rule.stringValue ?? ""]).contains { Self.has(value, type: $0) }
        case "enum": return rule.arrayValue?.contains(value) ?? false
        case "const": return rule == value
        case "required": return (rule.strings ?? []).allSatisfy { value[$0] != nil || value.objectValue == nil }
        case "minProperties": return value.objectValue.map { $0.members.count >= Self.count(rule) } ?? true
        case "maxProperties": return value.objectValue.map { $0.members.count <= Self.count(rule) } ?? true
        case "minItems": return value.arrayValue.map { $0.count >= Self.count(rule) } ?? true
        case "maxItems": return value.arrayValue.map { $0.count <= Self.count(rule) } ?? true
        case "uniqueItems": return value.arrayValue.map { Set($0).count == $0.count } ?? true
        case "minLength": return value.stringValue.map { $0.unicodeScalars.count >= Self.count(rule) } ?? true
        case "maxLength": return value.stringValue.map { $0.unicodeScalars.count <= Self.count(rule) } ?? true
        case "pattern":
            guard let text = value.stringValue, let pattern = rule.stringValue else { return true }
            let whole = NSRange(location: 0, length: text.utf16.count)
            return try NSRegularExpression(pattern: pattern).firstMatch(in: text, range: whole) != nil
        case "minimum": return Self.number(value).map { $0 >= Self.number(rule) ?? 0 } ?? true
        case "maximum": return Self.number(value).map { $0 <= Self.number(rule) ?? 0 } ?? true
        case "description", "default", "format", "example", "examples", "contentMediaType", "contentEncoding":
            return true
        default: throw UnknownKeyword(description: keyword)
        }
    }

    private static func has(_ value: JSONValue, type: String) -> Bool {
        switch value {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .number: type == "number" || (type == "integer" && value.integerValue != nil)
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }

    private static func number(_ value: JSONValue) -> Double? {
        if case .number(let text) = value { Double(text) } else { nil }
    }

    private static func count(_ rule: JSONValue) -> Int { Int(rule.integerValue ?? 0) }
}
