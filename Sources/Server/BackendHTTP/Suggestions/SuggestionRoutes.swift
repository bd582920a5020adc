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
        var faults = FaultList()
        var suggestions: [Suggestion] = []
        if let list = object["suggestions"] {
            refuseUnknown(in: object, .root, ["suggestions"], &faults)
            let pointer = JSONPointer.root.member("suggestions")
            let count = SuggestedName.batchSize
            let elements = list.arrayValue
            if elements == nil || !count.contains(elements?.count ?? 0) {
                faults.note(
                    Fault(
                        pointer.text, elements == nil ? .invalidType : .outOfRange,
                        "Must be an array of \(count.lowerBound) to \(count.upperBound) suggestions."))
            }
            for (index, element) in (elements ?? []).prefix(count.upperBound).enumerated() {
                guard let object = element.objectValue else {
                    faults.note(
                        Fault(pointer.element(index).text, .invalidType, "Must be an object."))
                    continue
                }
                if let one = suggestion(object, pointer.element(index), &faults) { suggestions.append(one) }
            }
        } else if let one = suggestion(object, .root, &faults) {
            suggestions.append(one)
        }
        guard faults.isEmpty else { throw HTTPFailure.invalid(faults) }
        return suggestions
    }

    /// Nothing but an id and a name is taken: whatever else a device might send stays out of the store.
    private static func suggestion(
        _ object: JSONObject, _ pointer: JSONPointer, _ faults: inout FaultList
    ) -> Suggestion? {
        refuseUnknown(in: object, pointer, ["id", "name"], &faults)
        let id = object["id"]?.stringValue.flatMap { UUID(strict: $0) }
        if id == nil {
            faults.note(
                Fault(pointer.member("id").text, object["id"] == nil ? .required : .invalidID, "Must be a UUID."))
        }
        guard let text = object["name"]?.stringValue else {
            faults.note(
                Fault(
                    pointer.member("name").text, object["name"] == nil ? .required : .invalidType, "Must be a string."))
            return nil
        }
        do throws(Fault) {
            let name = try SuggestionStore.validateName(text, pointer: pointer.member("name").text)
            return id.map { Suggestion(id: $0, name: name) }
        } catch {
            faults.note(error)
            return nil
        }
    }

    private static func refuseUnknown(
        in object: JSONObject, _ pointer: JSONPointer, _ known: [String], _ faults: inout FaultList
    ) {
        for member in object.members where !known.contains(member.name) {
            faults.note(
                Fault(pointer.member(member.name).text, .unknownField, "Only id and name are taken."))
        }
    }
}
