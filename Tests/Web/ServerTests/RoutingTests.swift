import TestKit
import Testing

@Suite struct RoutingTests {
    @Test(arguments: [
        ("/", "root"),
        ("/hello", "hello"),
        ("/hello?", "hello"),
        ("/hello?/a/../b", "hello"),
        ("http://h/hello", "hello"),
        ("http://other.example:80", "root"),
        ("/items/search", "search"),
        ("/items/018f2b1c-9d3e-7a4b-8c5d-0123456789ab", "uuid 018F2B1C-9D3E-7A4B-8C5D-0123456789AB"),
        ("/items/018F2B1C-9D3E-7A4B-8C5D-0123456789AB", "uuid 018F2B1C-9D3E-7A4B-8C5D-0123456789AB"),
        ("/files/a", "file a"),
        ("/files/logo.png", "file logo.png"),
        ("/files/...", "file ..."),
        ("/files/caf%C3%A9%20%F0%9F%8D%95", "file caf\u{E9} \u{1F355}"),
        ("/files/a+b", "file a+b"),
        ("/files/a%2Fb", "file a/b"),
        ("/files/100%25", "file 100%"),
        ("/files/%2522", "file %22"),
        ("/both/018f2b1c-9d3e-7a4b-8c5d-0123456789ab/x", "018F2B1C-9D3E-7A4B-8C5D-0123456789AB x"),
        ("/query?q=caf%C3%A9+12.34&d=2024-02-29&d", "q=caf\u{E9} 12.34|d=2024-02-29|d="),
    ])
    func finds(_ target: String, _ text: String) throws {
        let server = try TestServer()
        let response = try server.get(target)
        #expect(response.status == 200)
        #expect(response.text == text)
    }

    @Test(arguments: [
        "/nowhere", "/hello/", "//hello", "/hello/x", "/Hello", "/items/", "/items/1",
        "/items/018f2b1c-9d3e-7a4b-8c5d-0123456789ag", "/items/018f2b1c9d3e7a4b8c5d0123456789ab",
        "/items/%7B018f2b1c-9d3e-7a4b-8c5d-0123456789ab%7D", "/files/", "/files/a/b", "/both/x/y",
        "/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z", "/..x", "/x..", "/..;/hello",
        // A proxy that compares paths as they are sent would let them through.
        "/h%65llo", "/%68%65%6C%6c%6F", "/hello%2f", "/%66iles/a", "/both%2f018f2b1c-9d3e-7a4b-8c5d-0123456789ab/x",
    ])
    func doesNotFind(_ target: String) throws {
        let server = try TestServer()
        let response = try server.get(target)
        #expect(response.status == 404)
        #expect(response.text == "notFound")
    }

    @Test(arguments: [
        "/.", "/..", "/./hello", "/a/../hello", "/files/..", "/files/.", "/files/../../etc/passwd", "/%2e%2e/hello",
        "/.%2E/hello", "/files/%2e", "/files/%00", "/files/a%00b", "/files/%FF", "/files/%C3", "/files/%C0%AE", "/..?x",
    ])
    func refusesPathsThatTwoProgramsMayReadDifferently(_ target: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        let response = try client.exchange(TestServer.get(target))
        #expect(response.status == 400)
        #expect(response.text == "malformedPath")
        // The message itself was valid, so the connection continues.
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test func refusesAQueryThatCannotBeDecoded() throws {
        let server = try TestServer()
        let response = try server.get("/query?q=%FF")
        #expect(response.status == 400)
        #expect(response.text == "malformedQuery")
    }

    @Test(arguments: [
        ("POST", "/hello", "GET, HEAD, OPTIONS"),
        ("GET", "/echo", "OPTIONS, POST"),
        ("HEAD", "/echo", "OPTIONS, POST"),
        ("PUT", "/items/018f2b1c-9d3e-7a4b-8c5d-0123456789ab", "DELETE, GET, HEAD, OPTIONS"),
        ("DELETE", "/items/search", "GET, HEAD, OPTIONS"),
        ("PATCH", "/guarded", "GET, HEAD, OPTIONS, POST"),
        ("TRACE", "/hello", "GET, HEAD, OPTIONS"),
    ])
    func namesTheMethodsOfAnAddress(_ method: String, _ target: String, _ allow: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        let response = try client.exchange("\(method) \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(response.status == 405)
        #expect(response.values(of: "Allow") == [allow])
        let options = try client.exchange("OPTIONS \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(options.status == 204)
        #expect(options.values(of: "Allow") == [allow])
    }

    @Test func answersOptionsForTheServerItself() throws {
        let server = try TestServer()
        let client = try server.connect()
        let response = try client.exchange("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(response.status == 204)
        #expect(response["Allow"] == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
        #expect(try client.exchange("OPTIONS /nowhere HTTP/1.1\r\nHost: h\r\n\r\n").status == 404)
    }

    @Test func asksTheApplicationBeforeTheRoute() throws {
        let server = try TestServer()
        let client = try server.connect()
        let refused = try client.exchange(TestServer.get("/guarded"))
        #expect(refused.status == 401)
        #expect(refused["WWW-Authenticate"] == "Bearer")
        #expect(try client.exchange(TestServer.get("/guarded", "Authorization: Bearer x")).text == "guarded")
    }
}
