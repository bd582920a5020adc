import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Parameters and bodies that a call does not declare.
@Suite struct InputRulesTests {
    private static let settings = [
        "rate_limit_enabled": "false", "ingest_sentry_key": "k1", "ingest_project_id": "1",
        "ingest_posthog_key": "phc_k",
    ]

    private func call(
        _ operation: APIOperation, _ server: TestServer, query: String = "", json: String? = nil
    ) throws -> HTTPCall {
        HTTPCall(
            operation.method.rawValue, AddressAndMethodTests.target(operation.path) + query,
            operation.needsToken ? [try server.authorization(.owner)] : ["X-Sentry-Auth: Sentry sentry_key=k1"],
            json: json)
    }

    @Test func refusesParametersThatNoCallDeclares() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        for operation in APIOperation.all where operation.refusesOtherParameters && !operation.needsSession {
            let json = operation.isWrite ? "{}" : nil
            let response = try server.exchange(try call(operation, server, query: "?colour=red&%C3%A9=1", json: json))
            #expect(response.status == 422, "\(operation): \(response.text)")
            let errors = try response.json()["errors"]?.arrayValue ?? []
            let unknown = errors.filter { $0["code"]?.stringValue == "unknown_parameter" }
            #expect(unknown.strings("pointer") == ["colour", "é"], "\(operation)")
            let unreadable = try server.exchange(try call(operation, server, query: "?a=%FF", json: json))
            try server.expectProblem(unreadable, .malformedQuery)
            #expect(
                operation.problemCodes.contains(.malformedQuery) && operation.problemCodes.contains(.validationFailed))
        }
    }

    /// SDKs, probes and pages of others add parameters.
    @Test func toleratesParametersWhereOthersCall() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        let lenient = APIOperation.all.filter { !$0.refusesOtherParameters }
        #expect(lenient.count == 10)
        for operation in lenient {
            let json = operation.isWrite ? #"{"api_key":"phc_k","batch":[]}"# : nil
            let plain = try server.exchange(try call(operation, server, json: json))
            let other = try server.exchange(try call(operation, server, query: "?ip=1&_=2&ver=1.2", json: json))
            #expect(
                plain.status == other.status && !other.text.contains("unknown_parameter"), "\(operation): \(other.text)"
            )
        }
    }

    @Test func refusesABodyThatNoCallDeclares() throws {
        let server = try TestServer(settings: Self.settings)
        defer { server.end() }
        let bodiless = APIOperation.all.filter { $0.refusesBody && $0.needsToken }
        #expect(bodiless.count > 8)
        for operation in bodiless {
            let refused = try server.exchange(
                try call(operation, server, json: #"{"reason":"spam","é":1}"#))
            try server.expectInvalid(refused, [("#/reason", "unknown_field"), ("#/%C3%A9", "unknown_field")])
            try server.expectInvalid(
                try server.exchange(try call(operation, server, json: "[]")), [("#", "invalid_type")])
            try server.expectProblem(try server.exchange(try call(operation, server, json: "{")), .malformedJSON)
            let zipped = try call(operation, server, json: #"{"reason":"spam"}"#).gzipped()
            try server.expectInvalid(try server.exchange(zipped), [("#/reason", "unknown_field")])
            // There is no such object, which is found out later.
            for json in [nil, "", "{}", " { } "] {
                try server.expectProblem(try server.exchange(try call(operation, server, json: json)), .notFound)
            }
            #expect(operation.problemCodes.contains(.malformedJSON))
        }
    }

    /// A refused request leaves its key free.
    @Test func refusesABodyBeforeTheKeyIsUsed() throws {
        let server = try TestServer()
        defer { server.end() }
        let id = makeID(1).lowercased
        #expect(try server.post("/api/v1/suggestions", #"{"id":"\#(id)","name":"Ciné"}"#).status == 202)
        let group = try server.admin(.moderator, "GET", "/api/v1/admin/suggestions").items().strings("id").first
        let target = "/api/v1/admin/suggestions/\(try #require(group))/reject"
        let key = "Idempotency-Key: k1"
        try server.expectInvalid(
            try server.admin(.moderator, "POST", target, json: #"{"reason":"spam"}"#, key),
            [("#/reason", "unknown_field")])
        #expect(try server.admin(.moderator, "POST", target, key).status == 200)
    }

    @Test func saysNothingAboutInputWithoutCredentials() throws {
        let server = try TestServer()
        defer { server.end() }
        let target = AddressAndMethodTests.target(APIOperation.rejectSuggestion.path) + "?x=1"
        let refused = HTTPCall("POST", target, ["Authorization: Bearer nobody"], json: "{")
        try server.expectProblem(try server.exchange(refused), .unauthorized)
        try server.expectProblem(try server.admin(.analyst, "POST", target, json: "{"), .forbidden)
    }

    @Test func ignoresTheBodyOfARead() throws {
        let server = try TestServer()
        defer { server.end() }
        for target in ["/healthz", "/api/v1/catalogue", "/api/v1/privacy"] {
            #expect(try server.exchange(HTTPCall("GET", target, json: "{")).status == 200)
        }
    }
}
