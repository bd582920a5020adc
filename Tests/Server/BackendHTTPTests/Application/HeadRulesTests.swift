import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Testing

@testable import BackendHTTP

/// Tests the rules directly for cases that no route has while all credentials are bearer tokens.
@Suite struct HeadRulesTests {
    private static func head(_ method: String, _ lines: [String]) throws -> RequestHead {
        var head = RequestHead()
        var parser = RequestParser(limits: HTTPLimits())
        let text = (["\(method) / HTTP/1.1", "Host: h"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
        let (event, _) = try Array(text.utf8).withUnsafeBytes { try parser.next($0, head: &head) }
        try #require(event == .head)
        return head
    }

    private static func code(_ route: APIOperation, _ lines: String...) throws -> String? {
        let head = try head(route.method.rawValue, lines)
        do throws(HTTPFailure) {
            try HeadRules.check(head, for: route)
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    /// A form could send these with cookies: browsers add stored credentials but never bearer tokens.
    @Test func asksForWhatAFormCannotSendWhereThereIsNoBody() throws {
        for route in [APIOperation.undoCatalogueChange, .rejectSuggestion, .testAlerts, .signOut, .eraseAccount] {
            for lines in [
                [], ["Content-Length: 0"], ["Cookie: session=1"], ["Content-Type: text/plain"],
                ["Authorization: Basic b3duZXI6eA=="], ["Authorization: Bearerx y"],
                ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"],
            ] {
                let head = try Self.head(route.method.rawValue, lines)
                #expect(throws: HTTPFailure.self, "\(route) \(lines)") { try HeadRules.check(head, for: route) }
            }
            #expect(try Self.code(route, "Authorization: bearer  x") == nil)
            #expect(try Self.code(route, "Content-Type: Application/JSON ; charset=utf-8") == nil)
            #expect(try Self.code(route, "Content-Type: application/json", "Content-Length: 0") == nil)
        }
        // The call requires no permission, so a request without a body is passed to the handler.
        #expect(try Self.code(.suggestions) == nil)
        #expect(try Self.code(.adminCatalogue, "Content-Length: 9") == nil, "what a read is sent is ignored")
    }

    @Test func countsABodyOfUnknownLengthAsABody() throws {
        let chunked = "Transfer-Encoding: chunked"
        #expect(try Self.code(.rejectSuggestion, chunked, "Authorization: Bearer x") == "unsupported_media_type")
        #expect(try Self.code(.suggestions, chunked) == "unsupported_media_type")
        #expect(try Self.code(.suggestions, chunked, "Content-Type: application/json") == nil)
        #expect(try Self.code(.sentryEnvelope, chunked) == nil)
    }
}
