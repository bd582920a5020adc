import HTTPWire
import JSONWire
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

extension TestServer {
    /// Words that would disclose implementation details or paths.
    private var inside: [String] {
        [
            path, "sqlite", "SQL", "SELECT", "INSERT", "UPDATE ", "Error(", ".swift", "Sources/", "Optional(", "0x",
            "/home", "/tmp",
        ]
    }

    /// Expects a complete RFC 9457 problem with this code: media type, members, the page behind `type` on the same
    /// server, and no internal details. Returns the body.
    @discardableResult
    func expectProblem(
        _ response: RawResponse, _ code: ProblemCode, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        #expect(response.status == code.status, "\(response.text)", sourceLocation: sourceLocation)
        #expect(response["Content-Type"] == "application/problem+json", sourceLocation: sourceLocation)
        #expect(response.values(of: "Cache-Control") == ["no-store"], sourceLocation: sourceLocation)
        #expect(response.values(of: "X-Content-Type-Options") == ["nosniff"], sourceLocation: sourceLocation)
        let text = String(decoding: try response.decodedBody(), as: UTF8.self)
        let problem = try JSONValue.parse(Array(text.utf8))
        let members = ["type", "title", "status", "detail", "code", "request_id"]
        #expect(Array(problem.names.prefix(6)) == members, sourceLocation: sourceLocation)
        #expect(
            Set(problem.names).subtracting(members + ["errors", "errors_omitted"]).isEmpty,
            sourceLocation: sourceLocation)
        #expect(problem["code"]?.stringValue == code.rawValue, sourceLocation: sourceLocation)
        #expect(problem["status"]?.integerValue == Int64(response.status), sourceLocation: sourceLocation)
        #expect(problem["title"]?.stringValue == code.title, sourceLocation: sourceLocation)
        #expect(problem["detail"]?.stringValue?.isEmpty == false, sourceLocation: sourceLocation)
        let id = try #require(response["X-Request-Id"], sourceLocation: sourceLocation)
        #expect(response.values(of: "X-Request-Id").count == 1, sourceLocation: sourceLocation)
        #expect(problem["request_id"]?.stringValue == id, sourceLocation: sourceLocation)
        expect(text, lacks: inside, sourceLocation: sourceLocation)
        try expectPage(try #require(problem["type"]?.stringValue), of: code, sourceLocation)
        return problem
    }

    /// Expects a 422 with exactly these pointers, in this order, with these codes. Returns the body.
    @discardableResult
    func expectInvalid(
        _ response: RawResponse, _ faults: [(pointer: String, code: String)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        let problem = try expectProblem(response, .validationFailed, sourceLocation: sourceLocation)
        let errors = problem["errors"]?.arrayValue ?? []
        #expect(errors.strings("pointer") == faults.map(\.pointer), sourceLocation: sourceLocation)
        #expect(errors.strings("code") == faults.map(\.code), sourceLocation: sourceLocation)
        for error in errors {
            #expect(error.names == ["pointer", "code", "detail"], sourceLocation: sourceLocation)
            #expect(error["detail"]?.stringValue?.isEmpty == false, sourceLocation: sourceLocation)
        }
        return problem
    }

    private func expectPage(_ type: String, of code: ProblemCode, _ sourceLocation: SourceLocation) throws {
        #expect(type == "/problems/\(code.rawValue)", sourceLocation: sourceLocation)
        guard !hasEnded else { return }
        let page = try get(type)
        #expect(page.status == 200, sourceLocation: sourceLocation)
        #expect(page["Content-Type"] == "text/html; charset=utf-8", sourceLocation: sourceLocation)
        let title = code.title.replacing("'", with: "&#39;")
        expect(page.text, contains: [title, code.rawValue, "\(code.status)"], sourceLocation: sourceLocation)
    }
}
