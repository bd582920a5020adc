import JSONWire
import SubGuardContract

/// The operations that are not declared yet: they come from the old document, with all that they refer to. A declared
/// component takes the place of an old one of its name. Goes when the last feature is declared.
enum UndeclaredOperations {
    static func merged(into document: JSONObject, _ operations: [APIOperation]) -> JSONValue {
        guard let old = try? JSONValue.parse(Array(text.utf8)).objectValue else {
            return .object(document)
        }
        var document = document
        var paths = JSONObject()
        let declared = document["paths"]?.objectValue ?? [:]
        for operation in operations {
            let method = operation.method.rawValue.lowercased()
            let object =
                declared[operation.template]?.objectValue?[method]
                ?? old["paths"]?.objectValue?[operation.template]?.objectValue?[method]
            guard let object else { continue }
            var path = paths[operation.template]?.objectValue ?? [:]
            path.set(method, object)
            paths.set(operation.template, .object(path))
        }
        document.set("paths", .object(paths))
        var components = document["components"]?.objectValue ?? [:]
        var waiting = Set(references(in: .object(paths)).union(references(in: .object(components))))
        var seen: Set<String> = []
        while let reference = waiting.popFirst() {
            guard seen.insert(reference).inserted else { continue }
            let parts = reference.split(separator: "/").map(String.init)
            guard parts.count == 4 else { continue }
            var kind = components[parts[2]]?.objectValue ?? [:]
            guard kind[parts[3]] == nil else { continue }
            let name = parts[2] == "responses" ? String(parts[3].dropFirst(3)) : parts[3]
            var value = old["components"]?.objectValue?[parts[2]]?.objectValue?[name] ?? .null
            if parts[2] == "responses" { value = plainProblem(value) }
            kind.set(parts[3], value)
            kind.members.sort { $0.name < $1.name }
            components.set(parts[2], .object(kind))
            waiting.formUnion(references(in: value))
        }
        document.set("components", .object(components))
        return .object(document)
    }

    /// The old text. Its responses get names of their own: a declared one of the same name may have other codes.
    private static var text: String {
        EmbeddedOpenAPI.json.replacing("#/components/responses/", with: "#/components/responses/Old")
    }

    private static func references(in value: JSONValue) -> Set<String> {
        switch value {
        case .object(let object):
            object.members.reduce(into: []) { found, member in
                if member.name == "$ref", let reference = member.value.stringValue { found.insert(reference) }
                found.formUnion(references(in: member.value))
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
        default: []
        }
    }

    /// A problem without rules on its status and code: code generators cannot read them. Its examples name the codes.
    private static func plainProblem(_ old: JSONValue) -> JSONValue {
        guard var response = old.objectValue, var content = response["content"]?.objectValue,
            var media = content["application/problem+json"]?.objectValue
        else { return old }
        media.set("schema", ["$ref": "#/components/schemas/Problem"])
        content.set("application/problem+json", .object(media))
        response.set("content", .object(content))
        return .object(response)
    }
}
