import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct ProblemTests {
    private static func list(omitted: Int) -> FaultList {
        var faults: FaultList = [Fault("#/name", .required, "Must be given.")]
        faults.count(omitted)
        return faults
    }

    @Test func writesTheMembersOfRFC9457AndItsOwn() throws {
        let problem = Problem(code: .notFound, detail: "There is no such item.", requestID: "req-1")
        #expect(
            String(decoding: problem.json(), as: UTF8.self)
                == #"{"type":"/problems/not_found","title":"Nothing is here","status":404,"#
                + #""detail":"There is no such item.","code":"not_found","request_id":"req-1"}"#)
    }

    @Test func listsEveryFaultInOrder() throws {
        let problem = Problem(
            code: .validationFailed, detail: "Not acceptable: #/name, limit.", requestID: "x",
            errors: [
                Fault("#/name", .required, "Must be given."),
                Fault("limit", .outOfRange, "Must be a whole number from 1 to 500."),
            ])
        let json = try JSONValue.parse(problem.json())
        #expect(json["status"]?.integerValue == 422)
        let errors = try #require(json["errors"]?.arrayValue)
        #expect(errors.map { $0["pointer"]?.stringValue } == ["#/name", "limit"])
        #expect(errors.map { $0["code"]?.stringValue } == ["required", "out_of_range"])
        #expect(errors.allSatisfy { $0["detail"]?.stringValue?.isEmpty == false && $0.objectValue?.members.count == 3 })
        #expect(json["errors_omitted"] == nil)
    }

    @Test func saysHowManyFaultsItDoesNotName() throws {
        let problem = Problem(
            code: .validationFailed, detail: "d", requestID: "x", errors: Self.list(omitted: 559_900))
        let members = try JSONValue.parse(problem.json()).objectValue?.members.map(\.name) ?? []
        #expect(Array(members.suffix(2)) == ["errors", "errors_omitted"])
        #expect(try JSONValue.parse(problem.json())["errors_omitted"]?.integerValue == 559_900)
    }

    @Test func keepsTextOfClientsInsideItsStrings() throws {
        let awkward = "\"}{\u{0}\\ \u{2028}🎬\u{7F}</script>"
        let problem = Problem(
            code: .validationFailed, detail: awkward, requestID: "!\"#\\~",
            errors: [Fault("#/\(awkward)", .unknownField, Sentence(pattern: awkward))])
        let json = try JSONValue.parse(problem.json())
        #expect(json["detail"]?.stringValue == awkward)
        #expect(json["request_id"]?.stringValue == "!\"#\\~")
        #expect(json["errors"]?.arrayValue?.first?["pointer"]?.stringValue == "#/\(awkward)")
    }

    @Test(arguments: ProblemCode.allCases)
    func carriesWhatTheDocumentRequires(_ code: ProblemCode) throws {
        let schema = try OpenAPIFile().schema("Problem")
        let required = try #require(schema["required"]?.strings)
        let known = try #require(schema["properties"]?.objectValue?.members.map(\.name))
        let written = try JSONValue.parse(
            Problem(
                code: code, detail: "d", requestID: "r",
                errors: Self.list(omitted: 1), causes: ["c"]
            ).json())
        let names = try #require(written.objectValue?.members.map(\.name))
        #expect(Set(names).isSuperset(of: required))
        #expect(Set(names) == Set(known))
        #expect(written["status"]?.integerValue == Int64(code.status))
    }
}
