import JSONWire
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// The JSON Schema of a declaration.
@Suite struct WireSchemaTests {
    private static func properties() -> JSONObject {
        var components = WireComponents()
        return WireSample.wire.schema(&components)["properties"]?.objectValue ?? [:]
    }

    @Test(arguments: [
        ("id", ##"{"description":"Whose it is.","$ref":"#/components/schemas/GivenID"}"##),
        ("name", #"{"type":"string","minLength":1,"maxLength":8,"pattern":"^[A-Za-z🎬 ]+$"}"#),
        ("day", ##"{"$ref":"#/components/schemas/Day"}"##),
        (
            "at",
            ##"{"description":"Null while it has not happened.","##
                + ##""anyOf":[{"$ref":"#/components/schemas/GivenInstant"},"##
                + #"{"type":"null"}]}"#
        ),
        ("colour", #"{"type":"string","enum":["red","green"]}"#),
        ("count", #"{"type":"integer","minimum":1,"maximum":9,"default":3}"#), ("is_on", #"{"type":"boolean"}"#),
        (
            "tags",
            #"{"type":"array","maxItems":3,"items":{"type":"string","minLength":1,"maxLength":4},"uniqueItems":true}"#
        ),
        ("part", ##"{"$ref":"#/components/schemas/SamplePart"}"##),
        ("parts", ##"{"type":"array","maxItems":2,"items":{"$ref":"#/components/schemas/SamplePart"}}"##),
        ("note", #"{"type":["string","null"],"maxLength":10}"#),
    ])
    func describesEachType(_ name: String, _ schema: String) {
        let found = Self.properties()[name].map { String(decoding: $0.serialized(), as: UTF8.self) }
        #expect(found == schema)
    }

    @Test func requiresWhatIsAlwaysThere() {
        var components = WireComponents()
        let schema = WireSample.wire.schema(&components)
        #expect(
            schema["required"] == ["id", "name", "day", "at", "is_on", "tags", "part", "parts"])
        #expect(schema["additionalProperties"] == false)
        #expect(schema["description"] == "A sample.")
    }

    @Test func collectsEachComponentOnce() {
        var components = WireComponents()
        #expect(WireSample.wire.reference(&components) == ["$ref": "#/components/schemas/Sample"])
        _ = WireEnvelope.wire.reference(&components)
        #expect(
            components.schemas.map(\.name)
                == ["Sample", "GivenID", "Day", "GivenInstant", "SamplePart", "SampleEnvelope"])
        #expect(components.schemas.last?.schema["properties"]?.objectValue?.members.map(\.name) == ["number", "name"])
    }

    @Test func describesTheParametersOfAQuery() {
        var components = WireComponents()
        let parameters = WireSampleQuery.wire.parameters(&components)
        #expect(
            parameters.compactMap { $0.objectValue?["name"]?.stringValue } == ["limit", "dry_run", "colour", "since"])
        #expect(
            parameters.first == [
                "name": "limit", "in": "query", "description": "Items on a page.",
                "schema": ["type": "integer", "minimum": 1, "maximum": 500, "default": 50],
            ])
    }

    @Test func givesAnExampleThatItCanRead() throws {
        let example = try #require(WireSample.wire.example.objectValue)
        let sample = try WireSample(example)
        #expect(sample.name == "Ada")
        #expect(sample.note == .keep)
        #expect(sample.parts == [WireSample.Part(name: "wheel")])
    }
}
