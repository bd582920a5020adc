import JSONWire
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Reading and writing objects by their declarations.
@Suite struct WireObjectTests {
    private static let text = """
        {"id":"01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b","name":"Ciné 🎬","day":"2028-02-29","at":null,"colour":"green",\
        "count":9,"is_on":false,"tags":["a","é"],"part":{"name":"w"},"parts":[{"name":"x"},{"name":"y"}],\
        "note":null}
        """

    private static func object(_ text: String) throws -> JSONObject {
        try #require(try JSONValue.parse(Array(text.utf8)).objectValue)
    }

    private static func faults(_ text: String) throws -> [String] {
        do {
            _ = try WireSample(try object(text))
            return []
        } catch let error as FaultList {
            return error.map { "\($0.pointer) \($0.code.rawValue)" }
        }
    }

    /// The sample with some members replaced; an empty text removes a member.
    private static func changed(_ members: (name: String, value: String)...) throws -> String {
        var object = try object(text)
        for (name, value) in members {
            object.members.removeAll { $0.name == name }
            if !value.isEmpty { object.members.append((name, try JSONValue.parse(Array(value.utf8)))) }
        }
        return String(decoding: JSONValue.object(object).serialized(), as: UTF8.self)
    }

    @Test func writesWhatItHasRead() throws {
        let sample = try WireSample(try Self.object(Self.text))
        #expect(sample.colour == .green)
        #expect(sample.note == .set(nil))
        #expect(String(decoding: sample.json(), as: UTF8.self) == Self.text)
    }

    @Test func knowsAbsentFromNullAndTakesDefaults() throws {
        let text = try Self.changed(("note", ""), ("colour", ""), ("count", ""), ("at", ""))
        let sample = try WireSample(try Self.object(text))
        #expect(sample.note == .keep)
        #expect(sample.colour == nil)
        #expect(sample.count == 3)
        #expect(sample.at == nil)
        let written = try Self.object(String(decoding: sample.json(), as: UTF8.self))
        #expect(written["note"] == nil && written["colour"] == nil)
        #expect(written["at"] == .null)
    }

    @Test(arguments: [
        ("id", "\"x\"", "#/id invalid_id"), ("id", "", "#/id required"), ("id", "null", "#/id required"),
        ("name", "5", "#/name invalid_type"), ("name", "\"\"", "#/name required"), ("id", "7", "#/id invalid_type"),
        ("name", "\"123456789\"", "#/name out_of_range"), ("day", "\"2027-02-29\"", "#/day invalid_day"),
        ("at", "\"2027-02-28\"", "#/at invalid_timestamp"), ("at", "7", "#/at invalid_type"),
        ("colour", "\"blue\"", "#/colour unknown_value"), ("colour", "null", "#/colour required"),
        ("count", "null", "#/count required"), ("day", "7", "#/day invalid_type"),
        ("tags", "[null]", "#/tags/0 required"), ("tags", "null", "#/tags required"),
        ("count", "0", "#/count out_of_range"), ("count", "1.5", "#/count invalid_type"),
        ("count", "99999999999999999999", "#/count out_of_range"), ("is_on", "1", "#/is_on invalid_type"),
        ("tags", "{}", "#/tags invalid_type"), ("tags", "[\"a\",\"b\",\"c\",\"d\"]", "#/tags out_of_range"),
        ("tags", "[\"a\",\"b\",\"a\"]", "#/tags/2 duplicate"), ("tags", "[\"a\",5]", "#/tags/1 invalid_type"),
        ("tags", "[\"aéé\"]", "#/tags/0 out_of_range"), ("part", "[]", "#/part invalid_type"),
        ("part", "{\"nam\":\"x\"}", "#/part/nam unknown_field"), ("note", "7", "#/note invalid_type"),
        ("a~b/c", "1", "#/a~0b~1c unknown_field"),
    ])
    func namesTheFaultAndItsPlace(_ name: String, _ value: String, _ fault: String) throws {
        #expect(try Self.faults(try Self.changed((name, value))).first == fault)
    }

    @Test func namesEveryFaultAtOnce() throws {
        let text = try Self.changed(
            ("more", "1"), ("id", ""), ("tags", "[1,\"a\",2]"), ("parts", "[{\"name\":\"\"},{}]"), ("count", "\"3\""))
        #expect(
            try Self.faults(text) == [
                "#/more unknown_field", "#/id required", "#/count invalid_type", "#/tags/0 invalid_type",
                "#/tags/2 invalid_type", "#/parts/0/name required", "#/parts/1/name required",
            ])
    }

    @Test func namesTheElementsOfAListThatIsTooLong() throws {
        let text = try Self.changed(("tags", "[\"a\",7,\"b\",\"c\"]"))
        #expect(try Self.faults(text) == ["#/tags out_of_range", "#/tags/1 invalid_type"])
    }

    @Test func keepsAHundredFaultsAndCountsTheOthers() throws {
        let members = (0..<250).map { (name: "x\($0)", value: JSONValue.integer($0)) }
        let error = #expect(throws: FaultList.self) { try WireSample(JSONObject(members)) }
        #expect(error?.keptCount == 100)
        #expect(error?.total == 250 + 7)
    }

    @Test func ignoresWhatANewerServerAdds() throws {
        let text = try Self.changed(("more", "1"), ("part", "{\"name\":\"w\",\"more\":[]}"))
        #expect(try WireSample(try Self.object(text), unknown: .ignored).part.name == "w")
    }

    @Test func readsTheParametersOfAQuery() throws {
        #expect(
            try WireSampleQuery(texts: [])
                == WireSampleQuery(limit: 50, isDry: false, colour: nil, since: nil))
        let query = try WireSampleQuery(texts: [("dry_run", "true"), ("limit", "500"), ("colour", "red")])
        #expect(query == WireSampleQuery(limit: 500, isDry: true, colour: .red, since: nil))
    }

    @Test(arguments: [
        ("limit", "0", "limit out_of_range"), ("limit", "+5", "limit out_of_range"),
        ("limit", "", "limit out_of_range"),
        ("dry_run", "1", "dry_run unknown_value"), ("colour", "", "colour unknown_value"),
        ("since", "today", "since invalid_timestamp"), ("colours", "red", "colours unknown_parameter"),
    ])
    func namesTheParameterThatIsWrong(_ name: String, _ value: String, _ fault: String) throws {
        let error = #expect(throws: FaultList.self) { try WireSampleQuery(texts: [(name, value)]) }
        #expect(error?.map { "\($0.pointer) \($0.code.rawValue)" } == [fault])
    }

    @Test func refusesAParameterThatStandsTwice() throws {
        let error = #expect(throws: FaultList.self) {
            try WireSampleQuery(texts: [("limit", "5"), ("limit", "5"), ("dry_run", "x")])
        }
        #expect(
            error?.map { "\($0.pointer) \($0.code.rawValue)" } == ["limit duplicate", "dry_run unknown_value"])
    }

    @Test(arguments: [
        (#"{"status":"ok"}"#, []), (#"{"status":"bad"}"#, ["#/status unknown_value"]),
        (#"{"status":1}"#, ["#/status invalid_type"]), (#"{}"#, ["#/status required"]),
    ])
    func takesNoOtherTextThanAConstant(_ text: String, _ faults: [String]) throws {
        let object = try Self.object(text)
        var found: [String] = []
        do throws(FaultList) {
            _ = try Health(object)
        } catch {
            found = error.map { "\($0.pointer) \($0.code.rawValue)" }
        }
        #expect(found == faults)
    }

    @Test func putsTheMembersOfAFlattenedObjectInItsOwn() {
        let json = WireEnvelope(part: WireSample.Part(name: "w"), number: 7).json()
        #expect(String(decoding: json, as: UTF8.self) == #"{"number":7,"name":"w"}"#)
        #expect(!WireEnvelope.wire.isReadable)
        #expect(WireSample.wire.isReadable)
    }
}
