import JSONWire
import ServerContract
import SubGuardContract
import TestKit
import Testing

/// Validates the examples and defaults of the document against their own schemas.
@Suite struct OpenAPIExampleTests {
    private let file: OpenAPIFile
    private let check: OpenAPISchemaCheck

    init() throws {
        file = try OpenAPIFile()
        check = OpenAPISchemaCheck(file: file)
    }

    @Test(arguments: APIOperation.all)
    func givesOnlyValidExamplesOfBodies(_ route: APIOperation) throws {
        let operation = try #require(
            file.operations.first { $0.method == route.method.rawValue && $0.path == route.template })
        let bodies = [operation.object["requestBody"]].compactMap { $0 } + operation.responses.map(\.value)
        for body in bodies {
            for media in try file.resolved(body)["content"]?.objectValue?.members ?? [] {
                let schema = try #require(media.value["schema"])
                for example in media.value["examples"]?.objectValue?.members ?? [] {
                    let value = try #require(example.value["value"])
                    #expect(
                        try check.violations(of: schema, by: value) == [],
                        "\(route.template) \(media.name) \(example.name)")
                }
            }
        }
    }

    @Test func givesOnlyValidExamplesOfParametersAndHeaderFields() throws {
        let declared = file.objects.filter { $0["schema"] != nil && $0["examples"] == nil }
        #expect(declared.count > 50)
        for object in declared {
            let schema = try #require(object["schema"])
            for value in [object["example"], schema["default"]].compactMap({ $0 }) {
                #expect(try check.violations(of: schema, by: value) == [], "\(object["name"]?.stringValue ?? "")")
            }
        }
    }

    /// A check that accepts everything would prove nothing.
    @Test(arguments: [
        (#"{"type":"integer"}"#, "1.5"), (#"{"type":["string","null"]}"#, "1"), (#"{"enum":["a","b"]}"#, #""c""#),
        (#"{"const":1}"#, "2"), (#"{"required":["a"]}"#, #"{"b":1}"#), (#"{"minItems":2}"#, "[1]"),
        (#"{"uniqueItems":true}"#, "[1,1]"), (#"{"maxLength":1}"#, #""ab""#), (#"{"pattern":"^a$"}"#, #""ab""#),
        (#"{"minimum":0}"#, "-1"), (#"{"maximum":10}"#, "10.5"), (#"{"items":{"type":"string"}}"#, "[1]"),
        (#"{"properties":{"a":{"type":"null"}}}"#, #"{"a":1}"#), (#"{"additionalProperties":false}"#, #"{"a":1}"#),
        (#"{"anyOf":[{"type":"null"},{"const":1}]}"#, "2"), (#"{"oneOf":[{"type":"number"},{"const":1}]}"#, "1"),
        (#"{"not":{"const":1}}"#, "1"), (#"{"if":{"const":1},"then":false}"#, "1"),
        (##"{"$ref":"#/components/schemas/Day"}"##, #""20.11.2026""#),
    ])
    func findsViolations(_ schema: String, _ value: String) throws {
        let found = try check.violations(
            of: try JSONValue.parse(Array(schema.utf8)), by: try JSONValue.parse(Array(value.utf8)))
        #expect(found.count == 1)
    }

    @Test(arguments: APIOperation.all)
    func declaresTheFieldsOfConfidentialAnswersAndProblems(_ route: APIOperation) throws {
        let operation = try #require(
            file.operations.first { $0.method == route.method.rawValue && $0.path == route.template })
        for (status, response) in operation.responses {
            let headers = try file.resolved(response)["headers"]
            let isProblem = status >= "400"
            if isProblem || route.needsCredentials { #expect(headers?["X-Content-Type-Options"] != nil, "\(status)") }
            if isProblem {
                #expect(headers?["Cache-Control"] != nil, "\(status)")
                #expect(headers?["RateLimit"] != nil, "\(status)")
            }
            if status == "304" {
                let whole = try operation.responses.first { $0.status == "200" }.map { try file.resolved($0.value) }
                for name in ["Link", "Content-Disposition"] {
                    #expect((headers?[name] != nil) == (whole?["headers"]?[name] != nil), "\(name)")
                }
            }
        }
    }
}
