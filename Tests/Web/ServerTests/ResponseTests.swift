import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import TestKit
import Testing

@Suite struct ResponseTests {
    @Test func writesTheFieldsThatAreItsOwn() throws {
        let server = try TestServer()
        let before = Int(Date().timeIntervalSince1970)
        let response = try server.get("/hello")
        let after = Int(Date().timeIntervalSince1970)
        #expect(response.version == "HTTP/1.1")
        #expect(response.status == 200)
        #expect(response.reason == "OK")
        #expect(response.values(of: "Content-Length") == ["5"])
        #expect(response.values(of: "Server") == ["test"])
        #expect(response.values(of: "X-Request-Id").count == 1)
        // The coarse clock may lag a tick behind.
        let possible = (before - 1...after).map { HTTPDate.text(secondsSinceEpoch: $0) }
        #expect(response.values(of: "Date").count == 1)
        #expect(possible.contains(response["Date"] ?? ""))
    }

    @Test func writesRenderedFieldsAsTheyAre() throws {
        let server = try TestServer()
        #expect(try server.get("/rendered")["X-Rendered"] == "yes")
    }

    @Test func datesErrorsOfItsOwnToo() throws {
        let server = try TestServer()
        let response = try server.exchange("nonsense\r\n\r\n")
        #expect(response.status == 400)
        #expect(response["Date"] != nil)
        #expect(response["X-Request-Id"]?.count == 32)
        #expect(response.announcesClose)
    }

    @Test(arguments: [
        ("/hello", 5), ("/large?bytes=100000", 100_000), ("/nowhere", 8), ("/broken", 14), ("/blocking/hello", 19),
    ])
    func answersHeadLikeGetWithoutTheBody(_ target: String, _ length: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        let got = try client.exchange(TestServer.get(target))
        let response = try client.exchange("HEAD \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(response.status == got.status)
        #expect(response["Content-Length"] == String(length))
        #expect(response["Content-Length"] == got["Content-Length"])
        #expect(response.fields.map(\.name) == got.fields.map(\.name))
        // A body would be mistaken for a status line.
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test func answersHeadOfAStreamWithoutABody() throws {
        let server = try TestServer()
        let client = try server.connect()
        let response = try client.exchange("HEAD /stream?pieces=3&bytes=5 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(response["Transfer-Encoding"] == "chunked")
        #expect(response["Content-Length"] == nil)
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test(arguments: [("/no-content", 204), ("/not-modified", 304)])
    func sendsNoBodyWithAStatusThatHasNone(_ target: String, _ status: Int) throws {
        // RFC 9110 sections 15.3.5 and 15.4.5, although the handler returned a body.
        let server = try TestServer()
        let client = try server.connect()
        let response = try client.exchange(TestServer.get(target))
        #expect(response.status == status)
        #expect(response["Content-Length"] == nil)
        #expect(response["Transfer-Encoding"] == nil)
        #expect(response["ETag"] == (status == 304 ? "\"12.34\"" : nil))
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
        #expect(server.application.observed.first?.bodyBytesOut == 0)
    }

    @Test func sendsAnEmptyBodyWithItsLength() throws {
        let server = try TestServer()
        let response = try server.exchange(TestServer.post("/echo", ""))
        #expect(response.framing == .length(0))
    }

    @Test func sendsTwentyMegabytesWhole() throws {
        let server = try TestServer()
        let client = try server.connect()
        for target in ["/large?bytes=20000000", "/large/blocking?bytes=20000000"] {
            let response = try client.exchange(TestServer.get(target))
            #expect(response.framing == .length(20_000_000))
            #expect(response.hasBody(Pattern.bytes(20_000_000)))
        }
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test(arguments: [8191, 8192, 8193, 262_143, 262_144, 262_145])
    func sendsBodiesWholeAroundTheSizesThatAreSentDifferently(_ bytes: Int) throws {
        let server = try TestServer()
        #expect(try server.get("/large?bytes=\(bytes)").hasBody(Pattern.bytes(bytes)))
    }

    @Test func aFieldFromTheClientCannotAddALine() throws {
        let server = try TestServer()
        let response = try server.get("/echo-field", "User-Agent: a\u{85}\u{2028}b")
        #expect(response.values(of: "Location").count == 1)
        #expect(response.fields.filter { $0.name == "Location" }.count == 1)
    }

    @Test func answersWhatAHandlerThrows() throws {
        let server = try TestServer()
        let client = try server.connect()
        for target in ["/broken", "/blocking/broken", "/deferred/broken", "/mistaken/x"] {
            let response = try client.exchange(TestServer.get(target))
            #expect(response.status == 500, "\(target)")
            #expect(response.text == "internal_error")
        }
        let refused = try client.exchange(TestServer.get("/refused"))
        #expect(refused.status == 422)
        #expect(refused.reason == "Unprocessable Content")
        #expect(refused.text == "refused")
    }

    @Test func dropsASecondReply() throws {
        let server = try TestServer()
        let client = try server.connect()
        for _ in 0..<20 {
            #expect(try client.exchange(TestServer.get("/deferred/twice")).text == "first")
        }
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test func dropsASecondReplyBehindALastAnswerThatIsNotReadYet() throws {
        let large = TestRoutes.text(String(repeating: "x", count: 20_000_000))
        let server = try TestServer(extra: [
            .init(
                .get, "/twice/large",
                .deferred { _, reply in
                    reply(.success(large))
                    reply(.success(TestRoutes.text("second")))
                })
        ])
        let client = try server.connect()
        try client.send(TestServer.get("/twice/large", "Connection: close"))
        #expect(eventually { server.application.timesAsked("/twice/large") == 2 })
        #expect(try client.readResponse().body.count == 20_000_000)
        #expect(try client.readToEnd().isEmpty)
        #expect(server.application.observed.count == 1)
    }

    @Test func tellsTheApplicationWhatWasAnswered() throws {
        let server = try TestServer()
        _ = try server.get("/items/search")
        _ = try server.get("/nowhere")
        _ = try server.exchange("nonsense\r\n\r\n")
        #expect(eventually { server.application.observed.count == 3 })
        #expect(
            server.application.observed == [
                .init(route: "/items/search", headWasRead: true, status: 200, bodyBytesOut: 6),
                .init(route: nil, headWasRead: true, status: 404, bodyBytesOut: 8),
                .init(route: nil, headWasRead: false, status: 400, bodyBytesOut: 16),
            ])
    }
}
