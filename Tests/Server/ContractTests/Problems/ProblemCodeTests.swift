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

    /// The statuses of the contract that are errors.
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

    /// The client alone reports what premium costs.
    private static let codesOfTheClient: Set<FaultCode> = [.premiumRequired]

    @Test func listsEveryFaultCodeInTheDocumentAndTheGuide() throws {
        let codes = FaultCode.allCases.filter { !Self.codesOfTheClient.contains($0) }.map(\.rawValue)
        #expect(try file.schema("FaultCode")["enum"]?.strings == codes)
        let guide = try RepositoryFile.text("docs/api.md")
        let start = try #require(guide.range(of: "| code of a fault |")).lowerBound
        let table = guide[start...].prefix(
            upTo: try #require(guide.range(of: "\n\n", range: start..<guide.endIndex)).lowerBound)
        for code in codes { #expect(table.contains("`\(code)`"), "docs/api.md lacks \(code)") }
    }

    /// A response that names a code has the status of that code, and its examples say what the code says.
    @Test func standsUnderItsOwnStatusInTheDocument() throws {
        var documented: Set<ProblemCode> = []
        for response in file.root["components"]?["responses"]?.objectValue?.members ?? [] {
            guard let media = response.value["content"]?["application/problem+json"] else { continue }
            let rule = try #require(media["schema"]?["allOf"]?.arrayValue?.last?["properties"], "\(response.name)")
            let status = try #require(rule["status"]?["const"]?.integerValue)
            let names = rule["code"]?["enum"]?.strings ?? [rule["code"]?["const"]?.stringValue].compactMap { $0 }
            let codes = try names.map { try #require(ProblemCode(rawValue: $0)) }
            #expect(!codes.isEmpty)
            #expect(codes.allSatisfy { $0.status == Int(status) }, "\(response.name)")
            documented.formUnion(codes)
            try checkExamples(of: media, codes: codes, in: response.name)
        }
        #expect(Set(ProblemCode.allCases) == documented)
    }

    /// What a client is told under a status is described under that status, in every operation.
    @Test func isReferredToByStatus() throws {
        for operation in file.operations {
            for (status, response) in operation.responses where status.first == "4" || status.first == "5" {
                let media = try file.resolved(response)["content"]?["application/problem+json"]
                let rule = media?["schema"]?["allOf"]?.arrayValue?.last?["properties"]
                #expect(
                    rule?["status"]?["const"]?.integerValue == Int64(status),
                    "\(operation.method) \(operation.path) \(status)")
            }
        }
    }

    private func checkExamples(of media: JSONValue, codes: [ProblemCode], in name: String) throws {
        let examples = media["examples"]?.objectValue?.members.compactMap { $0.value["value"] } ?? []
        for example in examples {
            let code = try #require(example["code"]?.stringValue.flatMap { ProblemCode(rawValue: $0) }, "\(name)")
            #expect(example["type"]?.stringValue == code.type)
            #expect(example["title"]?.stringValue == code.title, "\(name)")
            #expect(example["status"]?.integerValue == Int64(code.status))
        }
        #expect(Set(examples.compactMap { $0["code"]?.stringValue }) == Set(codes.map(\.rawValue)), "\(name)")
    }
}
