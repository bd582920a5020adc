import Foundation
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct ProblemCodeTests {
    private let file: OpenAPIFile

    init() throws { file = try OpenAPIFile() }

    /// The error statuses of the contract.
    private static let statuses: Set<Int> = [
        400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 414, 415, 417, 422, 429, 431, 500, 501, 503, 505,
    ]

    @Test(arguments: ProblemCode.allCases)
    func saysWhatItIsAndWhatToDo(_ code: ProblemCode) {
        #expect(Self.statuses.contains(code.status))
        #expect((8...60).contains(code.title.count))
        #expect(code.title.first?.isUppercase == true)
        #expect(code.title.last?.isPunctuation == false)
        #expect((15...200).contains(code.explanation.count))
        #expect(code.explanation.first.map { $0.isUppercase || $0 == "`" } == true)
        #expect(code.explanation.last == ".")
        #expect(code.explanation != code.title + ".")
    }

    @Test(arguments: ProblemCode.allCases)
    func hasANameThatFitsAnAddress(_ code: ProblemCode) {
        #expect(
            code.rawValue.utf8.allSatisfy {
                $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            })
        #expect(code.type == "/problems/\(code.rawValue)")
    }

    @Test func coversEveryStatusOfTheContract() {
        #expect(Set(ProblemCode.allCases.map(\.status)) == Self.statuses)
    }

    @Test func tellsTitlesApart() {
        #expect(Set(ProblemCode.allCases.map(\.title)).count == ProblemCode.allCases.count)
    }

    @Test func isListedInTheDocument() throws {
        #expect(try file.schema("ProblemCode")["enum"]?.strings == ProblemCode.allCases.map(\.rawValue))
    }

    @Test func isListedInTheGuide() throws {
        let guide = try RepositoryFile.text("docs/api.md")
        for code in ProblemCode.allCases {
            #expect(guide.contains("| \(code.status) | `\(code.rawValue)` |"), "docs/api.md lacks \(code.rawValue)")
        }
    }

    @Test func listsEveryFaultCodeInTheDocumentAndTheGuide() throws {
        let codes = FaultCode.allCases.filter { !FaultCode.ofTheClient.contains($0) }.map(\.rawValue)
        #expect(try file.schema("FaultCode")["enum"]?.strings == codes)
        let guide = try RepositoryFile.text("docs/api.md")
        let start = try #require(guide.range(of: "### Faults of a field")).lowerBound
        let end = try #require(guide.range(of: "\n## ", range: start..<guide.endIndex)).lowerBound
        for code in codes { #expect(guide[start..<end].contains("`\(code)`"), "docs/api.md lacks \(code)") }
    }

    /// Each operation describes its problems under their statuses, and the examples match the codes. Only
    /// `method_not_allowed` belongs to no operation.
    @Test func standsUnderItsOwnStatusInTheDocument() throws {
        var described: Set<ProblemCode> = [.methodNotAllowed]
        for operation in file.operations {
            for (status, response) in operation.responses where status.first == "4" || status.first == "5" {
                let name = "\(operation.method) \(operation.path) \(status)"
                let media = try #require(
                    try file.resolved(response)["content"]?["application/problem+json"], "\(name)")
                let examples = media["examples"]?.objectValue?.members ?? []
                #expect(!examples.isEmpty, "\(name)")
                for example in examples {
                    let value = try #require(example.value["value"])
                    let code = try #require(value["code"]?.stringValue.flatMap { ProblemCode(rawValue: $0) }, "\(name)")
                    #expect("\(code.status)" == status, "\(name)")
                    #expect(value["type"]?.stringValue == code.type, "\(name)")
                    #expect(value["title"]?.stringValue == code.title, "\(name)")
                    #expect(value["status"]?.integerValue == Int64(code.status), "\(name)")
                    described.insert(code)
                }
            }
        }
        #expect(described == Set(ProblemCode.allCases))
    }

    /// The document describes exactly the problems that the declaration lists.
    @Test(arguments: APIOperation.all)
    func isDescribedWhereTheOperationDeclaresIt(_ operation: APIOperation) throws {
        let described = try #require(
            file.operations.first { $0.object["operationId"]?.stringValue == operation.description.id })
        let codes = try described.responses.flatMap { _, response in
            (try file.resolved(response)["content"]?["application/problem+json"]?["examples"]?.objectValue?.members
                ?? [])
                .map(\.name)
        }
        #expect(Set(codes) == Set(operation.problemCodes.map(\.rawValue)))
    }
}
