import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Hand-written body parsers accept and reject the same bodies as the declarations.
@Suite struct DeclaredBodyTests {
    private func makeServer() throws -> TestServer {
        try TestServer(
            settings: [
                "ingest_posthog_key": "phc_example", "ingest_sentry_key": "k1", "ingest_project_id": "1",
                "rate_limit_enabled": "false",
            ])
    }

    @Test(arguments: [APIOperation.analytics, .postHogBatch, .crashes, .sentryEnvelope, .sentryStore])
    func takesTheExamplesOfTheDocument(_ operation: APIOperation) throws {
        let server = try makeServer()
        defer { server.end() }
        let description = operation.description
        let answer = try #require(description.answers.first)
        for content in try #require(description.body).contents {
            for (name, example) in content.examples {
                let response = try server.exchange(
                    HTTPCall(
                        "POST", operation.path("1"),
                        ["X-Sentry-Auth: Sentry sentry_key=k1", "Content-Type: \(content.type)"],
                        body: example.stringValue.map { Array($0.utf8) } ?? example.serialized()))
                #expect(response.status == answer.status, "\(operation.path) \(name): \(response.text)")
                #expect(try response.json()["rejected"]?.arrayValue ?? [] == [], "\(name)")
                let known = answer.contents.flatMap(\.examples).flatMap { $0.value.names }
                #expect(Set(try response.json().names).isSubset(of: known), "\(name)")
            }
        }
    }

    @Test func crashesAreReadAsDeclared() throws {
        let server = try makeServer()
        defer { server.end() }
        let example = try #require(APIOperation.crashes.description.body?.contents.first?.examples.first?.value)
        for (name, body) in variants(of: example) {
            let isDeclared = body.objectValue.flatMap { try? CrashReports($0) } != nil
            let response = try server.exchange(HTTPCall("POST", "/api/v1/crashes", body: body.serialized()))
            #expect(response.status == (isDeclared ? 202 : 422), "\(name): \(response.text)")
        }
    }

    @Test func eventsAreReadAsDeclared() throws {
        let server = try makeServer()
        defer { server.end() }
        for (name, body) in variants(of: EventReports.wire.example) {
            let isDeclared = body.objectValue.flatMap { try? EventReports($0) } != nil
            let response = try server.exchange(HTTPCall("POST", "/api/v1/analytics", body: body.serialized()))
            let isTaken = try response.status == 202 && response.json()["rejected"]?.arrayValue == []
            // The registry, not the declaration, restricts the names of events and their properties.
            let isOfRegistry = name.contains("/name") || name.contains("/properties/")
            #expect(isTaken == isDeclared || isOfRegistry, "\(name): \(response.text)")
        }
    }

    /// The document, and variants in which one member at any depth is missing, added or of another type.
    private func variants(of value: JSONValue) -> [(name: String, value: JSONValue)] {
        [("#", value)] + changes(of: value, at: "#")
    }

    private func changes(of value: JSONValue, at place: String) -> [(name: String, value: JSONValue)] {
        switch value {
        case .object(let object):
            var changes: [(name: String, value: JSONValue)] = []
            var more = object
            more.set("zzz", 1)
            changes.append(("\(place)/zzz", .object(more)))
            for (index, member) in object.members.enumerated() {
                let place = "\(place)/\(member.name)"
                var less = object
                less.members.remove(at: index)
                changes.append((place + " missing", .object(less)))
                for other in [["a"], [:], "\u{1}", -1, true] as [JSONValue] {
                    var changed = object
                    changed.set(member.name, other)
                    changes.append(("\(place) \(other)", .object(changed)))
                }
                for (name, inner) in self.changes(of: member.value, at: place) {
                    var changed = object
                    changed.set(member.name, inner)
                    changes.append((name, .object(changed)))
                }
            }
            return changes
        case .array(let elements):
            return elements.enumerated().flatMap { index, element in
                self.changes(of: element, at: "\(place)/\(index)").map { name, inner in
                    var changed = elements
                    changed[index] = inner
                    return (name, .array(changed))
                }
            }
        default: return []
        }
    }
}
