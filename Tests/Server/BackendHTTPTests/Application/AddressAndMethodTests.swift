import HTTPWire
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// 404, 405 and OPTIONS.
@Suite struct AddressAndMethodTests {
    @Test func answers404WhereNothingIs() throws {
        let server = try TestServer()
        defer { server.end() }
        let nobody = makeID(404).lowercased
        for target in [
            "/api/v1", "/api/v1/catalogue/", "/api/v1/Catalogue", "/api/v1/catalogue/\(nobody)",
            "/api/v1/catalogue/12", "/api/v1/catalogue/\(nobody)0", "/api/v1/catalogue/\(nobody)/logo",
            "/problems/", "/problems/no_such_code", "/problems/Not_Found", "//healthz",
        ] {
            let problem = try server.expectProblem(try server.get(target), .notFound)
            expect(problem["detail"]?.stringValue ?? "", lacks: [nobody, "Catalogue"])
        }
        for (method, body) in [("GET", nil), ("PATCH", #"{"name":"Nobody"}"#), ("DELETE", nil)] {
            let target = "/api/v1/admin/catalogue/\(nobody)"
            try server.expectProblem(try server.admin(.owner, method, target, json: body), .notFound)
            try server.expectProblem(
                try server.admin(.owner, method, target, json: body, "If-Match: \"r1\""), .notFound)
        }
        try server.expectProblem(try server.post("/api/v1/nothing", "{}"), .notFound)
    }

    @Test func answersHEADWith404AndNoBody() throws {
        let server = try TestServer()
        defer { server.end() }
        let client = try server.connect()
        let head = try client.exchange(HTTPCall("HEAD", "/api/v1/nothing").bytes)
        #expect(head.status == 404)
        #expect(head["Content-Type"] == "application/problem+json")
        #expect(head["Content-Length"].flatMap { Int($0) } ?? 0 > 100)
        // A body in the response to HEAD would be parsed as the next response.
        #expect(try client.exchange(HTTPCall.get("/healthz").bytes).status == 200)
    }

    /// Every path of the contract with every method that it does not support.
    @Test func answers405WithTheMethodsThatAreThere() throws {
        let server = try TestServer()
        defer { server.end() }
        let paths = Dictionary(grouping: APIOperation.all, by: \.path)
        #expect(paths.count > 10)
        for (path, routes) in paths {
            let target = Self.target(path)
            let there = Set(routes.map(\.method.rawValue) + (routes.contains { $0.method == .get } ? ["HEAD"] : []))
            let allow = (there.sorted() + ["OPTIONS"]).sorted().joined(separator: ", ")
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] where !there.contains(method) {
                let response = try server.exchange(HTTPCall(method, target, json: method == "GET" ? nil : "{}"))
                #expect(response["Allow"] == allow, "\(method) \(path)")
                let problem = try server.expectProblem(response, .methodNotAllowed)
                expect(problem["detail"]?.stringValue ?? "", contains: [allow])
            }
            if !there.contains("HEAD") {
                let response = try server.exchange(HTTPCall("HEAD", target))
                #expect(response.status == 405)
                #expect(response["Allow"] == allow)
            }
            let options = try server.exchange(HTTPCall("OPTIONS", target))
            #expect(options.status == 204)
            #expect(options["Allow"] == allow, "\(path)")
            #expect(options["X-Request-Id"] != nil)
        }
    }

    @Test func answersOPTIONSForTheServerAndNotForNothing() throws {
        let server = try TestServer()
        defer { server.end() }
        let all = try server.exchange(HTTPCall("OPTIONS", "*"))
        #expect(all.status == 204)
        let methods = (all["Allow"] ?? "").split(separator: ", ").map(String.init)
        #expect(Set(methods) == Set(RequestMethod.allCases.map(\.name)).subtracting(["TRACE"]))
        try server.expectProblem(try server.exchange(HTTPCall("OPTIONS", "/api/v1/nothing")), .notFound)
    }

    static func target(_ path: String) -> String {
        path.replacing("{id:uuid}", with: makeID(404).lowercased).replacing("{code}", with: "not_found")
            .replacing("{project_id}", with: "1").replacing("{file}", with: "none.png")
            .replacing("{slug}", with: "no-such-item")
            .replacing("{debug_id}", with: makeID(405).lowercased)
    }
}
