import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// The document against the tables and limits that it repeats.
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

    /// Code generators merge no schemas: a composed one would cost a client the type of its errors.
    @Test func refersToProblemsPlainly() throws {
        let schemas = file.objects.compactMap { $0["application/problem+json"]?["schema"] }
        #expect(!schemas.isEmpty)
        #expect(schemas.allSatisfy { $0["$ref"]?.stringValue == "#/components/schemas/Problem" })
    }

    /// The first of two schemas of one name would win, so the order would matter.
    @Test func givesEachNameOneSchema() {
        let (whole, reversed) = (OpenAPIDocument.make(), OpenAPIDocument.make(APIOperation.all.reversed()))
        #expect(whole["components"]?.unordered == reversed["components"]?.unordered)
    }

    @Test(arguments: APIOperation.all)
    func canReadEveryBodyThatItDeclares(_ operation: APIOperation) {
        #expect(operation.description?.body?.isReadable ?? true)
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

    @Test func listsEveryCurrencyByItsDecimals() throws {
        for (name, decimals) in [
            ("CurrencyWithoutDecimals", 0), ("CurrencyWithTwoDecimals", 2), ("CurrencyWithThreeDecimals", 3),
        ] {
            let codes = try file.schema(name)["enum"]?.strings ?? []
            let known = Currency.all.filter { $0.exponent == decimals }.map(\.code)
            #expect(Set(codes).symmetricDifference(known).sorted() == [], "\(name)")
            #expect(Set(codes).count == codes.count)
        }
    }

    @Test func repeatsTheLimitsOfTheDomain() throws {
        let events = try file.schema("EventList")
        #expect(events["minItems"]?.integerValue == Int64(AnalyticsLimits.batchSize.lowerBound))
        #expect(events["maxItems"]?.integerValue == Int64(AnalyticsLimits.batchSize.upperBound))
        let user = try file.schema("Event")["properties"]?["user_id"]
        #expect(user?["minLength"]?.integerValue == Int64(AnalyticsLimits.userIDLength))
        #expect(user?["maxLength"]?.integerValue == Int64(AnalyticsLimits.userIDLength))
        let fields = try file.schema("CatalogueFields")["properties"]
        #expect(fields?["name"]?["maxLength"]?.integerValue == Int64(CatalogueRules.maximumNameLength))
        #expect(try file.schema("Slug")["maxLength"]?.integerValue == Int64(CatalogueRules.maximumSlugLength))
        #expect(try file.schema("Category")["maxLength"]?.integerValue == Int64(CatalogueRules.maximumCategoryLength))
        #expect(try file.schema("WebLink")["maxLength"]?.integerValue == Int64(CatalogueRules.maximumURLLength))
        for schema in ["NewCatalogueItem", "CatalogueChange", "CatalogueFields"] {
            let properties = try file.schema(schema)["properties"]
            #expect(properties?["aliases"]?["maxItems"]?.integerValue == Int64(CatalogueRules.maximumAliases))
            let notice = properties?["notice_days"]
            #expect(notice?["minimum"]?.integerValue == Int64(CatalogueRules.noticeDaysRange.lowerBound))
            #expect(notice?["maximum"]?.integerValue == Int64(CatalogueRules.noticeDaysRange.upperBound))
        }
    }
}
