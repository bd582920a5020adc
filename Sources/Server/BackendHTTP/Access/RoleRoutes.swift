import Backend
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The roles that tokens carry.
struct RoleRoutes: Sendable {
    let gate: AdminGate
    let store: RoleStore

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.roles) { request, _ in try Self.document(try store.list()).response(for: request) },
            gate.binding(.replaceRoles) { request, actor in try replace(request, actor) },
        ]
    }

    private func replace(_ request: Request, _ actor: Actor) throws -> Response {
        let roles = try Self.roles(in: request)
        let all = try store.replace(with: roles, by: actor) { present in
            let tag = Self.document(present).tag
            let head = request.head
            guard tag.satisfiesMatch(of: head), !head.contains(.ifNoneMatch) || !tag.matchesNone(of: head) else {
                throw BackendError.preconditionFailed(currentRevision: nil)
            }
        }
        return Self.document(all).wholeResponse(for: request)
    }

    private static func roles(in request: Request) throws -> [Role] {
        // What the list gives may be sent back as it came.
        var body = try BodyReader(request, known: ["items", "next_cursor"])
        if let cursor = body.object["next_cursor"], !cursor.isNull {
            body.note(.root.member("next_cursor"), .invalidType, "Must be null: the list has one page.")
        }
        let list = JSONPointer.root.member("items")
        var roles: [Role] = []
        for (index, element) in (body.array("items", of: "roles") ?? []).enumerated() {
            guard let object = element.objectValue else {
                body.note(list.element(index), .invalidType, "Must be an object.")
                continue
            }
            let pointer = list.element(index)
            body.refuseUnknown(in: object, at: pointer, known: ["name", "permissions", "built_in"])
            let name = object["name"]
            if name?.stringValue == nil {
                body.note(pointer.member("name"), name == nil ? .required : .invalidType, "Must be a string.")
            }
            let list = object["permissions"]
            if list?.arrayValue == nil {
                body.note(
                    pointer.member("permissions"), list == nil ? .required : .invalidType,
                    "Must be an array of permissions.")
            }
            var permissions: Set<Permission> = []
            for (place, element) in (list?.arrayValue ?? []).enumerated() {
                if let permission = element.stringValue.flatMap(Permission.init(rawValue:)) {
                    permissions.insert(permission)
                } else {
                    body.note(
                        pointer.member("permissions").element(place), .unknownValue,
                        "Must be one of \(Permission.allCases.map(\.rawValue).joined(separator: ", ")).")
                }
            }
            if let name = name?.stringValue { roles.append(Role(name: name, permissions: permissions)) }
        }
        try body.requireValid()
        return roles
    }

    private static func document(_ roles: [Role]) -> RenderedDocument {
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for role in roles {
            writer.beginObject()
            writer.field("name", role.name)
            writer.field(
                "permissions", .array(Permission.allCases.filter(role.allows).map { .string($0.rawValue) }))
            writer.field("built_in", role.isBuiltIn)
            writer.endObject()
        }
        writer.endArray()
        writer.field("next_cursor", String?.none)
        writer.endObject()
        return RenderedDocument(body: writer.bytes, contentType: "application/json")
    }
}
