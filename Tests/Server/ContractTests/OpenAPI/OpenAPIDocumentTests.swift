import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Compares the document with the tables and limits that it repeats.
@Suite struct OpenAPIDocumentTests {
    private let file: OpenAPIFile

    init() throws { file = try OpenAPIFile() }

    @Test func isTheFileOfTheRepository() throws {
        let isCurrent = try OpenAPIDocument.text() == RepositoryFile.bytes("docs/openapi.json")
        #expect(isCurrent, "docs/openapi.json is not up to date; build, then run Scripts/generate")
    }

    @Test func servesTheSameCompactly() throws {
        #expect(try JSONValue.parse(OpenAPIDocument.served()) == file.root)
    }

    /// Code generators do not merge schemas: a composed schema would leave clients without a type for errors.
    @Test func refersToProblemsPlainly() throws {
        let schemas = file.objects.compactMap { $0["application/problem+json"]?["schema"] }
        #expect(!schemas.isEmpty)
        #expect(schemas.allSatisfy { $0["$ref"]?.stringValue == "#/components/schemas/Problem" })
    }

    /// Of two schemas with the same name the first would win, so the result would depend on their order.
    @Test func givesEachNameOneSchema() {
        let (whole, reversed) = (OpenAPIDocument.make(), OpenAPIDocument.make(APIOperation.all.reversed()))
        #expect(whole["components"]?.unordered == reversed["components"]?.unordered)
    }

    @Test(arguments: APIOperation.all)
    func canReadEveryBodyThatItDeclares(_ operation: APIOperation) {
        #expect(operation.description.body?.isReadable ?? true)
    }

    @Test func listsTheEventsOfTheRegistry() throws {
        #expect(try file.schema("EventName")["enum"]?.strings == EventRegistry.events.map(\.name))
        let properties = Set(EventRegistry.events.flatMap(\.properties).map(\.name))
        let described = try file.schema("EventProperties")["properties"]?.objectValue?.members.map(\.name) ?? []
        #expect(Set(described) == properties)
        #expect(try file.schema("EventProperties")["additionalProperties"]?.boolValue == false)
    }

    @Test(arguments: EventRegistry.events.map(\.name))
    func allowsEachEventItsOwnPropertiesOnly(_ name: String) throws {
        let event = try #require(EventRegistry.definition(named: name))
        let rules = try file.schema("Event")["allOf"]?.arrayValue ?? []
        let matching = rules.filter {
            $0["if"]?["properties"]?["name"]?["enum"]?.strings?.contains(name) == true
        }
        #expect(matching.count == 1)
        let allowed = matching.first?["then"]?["properties"]?["properties"]?["propertyNames"]?["enum"]?.strings
        #expect(Set(allowed ?? []) == Set(event.properties.map(\.name)))
    }

    @Test func listsTheRejectionsInTheOrderOfTheirChecks() throws {
        #expect(try file.schema("EventRejection")["enum"]?.strings == EventRejection.allCases.map(\.rawValue))
    }

    @Test func repeatsTheLimitsOfTheDomain() throws {
        let events = try file.schema("EventList")
        #expect(events["minItems"]?.integerValue == Int64(AnalyticsLimits.batchSize.lowerBound))
        #expect(events["maxItems"]?.integerValue == Int64(AnalyticsLimits.batchSize.upperBound))
        let user = try file.schema("Event")["properties"]?["user_id"]
        #expect(user?["minLength"]?.integerValue == Int64(AnalyticsLimits.userIDLength))
        #expect(user?["maxLength"]?.integerValue == Int64(AnalyticsLimits.userIDLength))
    }
}
