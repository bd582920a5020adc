import Backend
import Foundation
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// `POST /api/v1/suggestions`: one name, or what a device has queued while it was offline.
struct SuggestionRoutes: Sendable {
    let store: SuggestionStore
    let limiter: RateLimiter
    let address: ClientAddress

    /// 100 names of 120 characters, each written as an escape of 12 bytes, are about 150 KB.
    private static let maximumBodyBytes = 256 << 10

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .suggestions, allowance: .suggest, maximumBodyBytes: Self.maximumBodyBytes, .blocking { try submit($0) }
            )
        ]
    }

    private func submit(_ request: Request) throws -> Response {
        let object = try RequestBody.object(request, maximumBytes: Self.maximumBodyBytes)
        let suggestions = try Self.suggestions(in: object)
        let allowance = limiter.take(.suggestedNames, from: address.of(request), count: suggestions.count)
        if let allowance, !allowance.isAllowed { throw allowance.failure }
        let receipt = try store.submit(suggestions)
        let answer = SuggestionAnswer(accepted: receipt.accepted, duplicates: receipt.duplicates)
        return Response(
            status: .accepted, fields: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .bytes(answer.json()))
    }

    private static func suggestions(in object: JSONObject) throws -> [Suggestion] {
        var issues = FaultList<HTTPFailure.Issue>()
        var suggestions: [Suggestion] = []
        if let list = object["suggestions"] {
            refuseUnknown(in: object, .root, ["suggestions"], &issues)
            let pointer = JSONPointer.root.member("suggestions")
            let count = SuggestedName.batchSize
            let elements = list.arrayValue
            if elements == nil || !count.contains(elements?.count ?? 0) {
                issues.note(
                    HTTPFailure.Issue(
                        pointer: pointer.text, code: elements == nil ? "invalid_type" : "out_of_range",
                        detail: "Must be an array of \(count.lowerBound) to \(count.upperBound) suggestions."))
            }
            for (index, element) in (elements ?? []).prefix(count.upperBound).enumerated() {
                guard let object = element.objectValue else {
                    issues.note(
                        HTTPFailure.Issue(
                            pointer: pointer.element(index).text, code: "invalid_type", detail: "Must be an object."))
                    continue
                }
                if let one = suggestion(object, pointer.element(index), &issues) { suggestions.append(one) }
            }
        } else if let one = suggestion(object, .root, &issues) {
            suggestions.append(one)
        }
        guard issues.isEmpty else { throw HTTPFailure.invalid(issues) }
        return suggestions
    }

    /// Nothing but an id and a name is taken: whatever else a device might send stays out of the store.
    private static func suggestion(
        _ object: JSONObject, _ pointer: JSONPointer, _ issues: inout FaultList<HTTPFailure.Issue>
    ) -> Suggestion? {
        refuseUnknown(in: object, pointer, ["id", "name"], &issues)
        let id = object["id"]?.stringValue.flatMap { UUID(strict: $0) }
        if id == nil {
            issues.note(
                HTTPFailure.Issue(pointer: pointer.member("id").text, code: "invalid_id", detail: "Must be a UUID."))
        }
        guard let text = object["name"]?.stringValue else {
            issues.note(
                HTTPFailure.Issue(
                    pointer: pointer.member("name").text, code: object["name"] == nil ? "required" : "invalid_type",
                    detail: "Must be a string."))
            return nil
        }
        do throws(FieldError) {
            let name = try SuggestionStore.validateName(text, pointer: pointer.member("name").text)
            return id.map { Suggestion(id: $0, name: name) }
        } catch {
            issues.note(HTTPFailure.Issue(error))
            return nil
        }
    }

    private static func refuseUnknown(
        in object: JSONObject, _ pointer: JSONPointer, _ known: [String], _ issues: inout FaultList<HTTPFailure.Issue>
    ) {
        for member in object.members where !known.contains(member.name) {
            issues.note(
                HTTPFailure.Issue(
                    pointer: pointer.member(member.name).text, code: "unknown_field",
                    detail: "Only id and name are taken."))
        }
    }
}
