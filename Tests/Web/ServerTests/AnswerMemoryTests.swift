import HTTPServer
import HTTPTypes
import HTTPWire
import TestKit
import Testing

/// Clients that send requests and do not read.
@Suite struct AnswerMemoryTests {
    /// More than the kernel buffers on both sides of a loopback connection.
    private static let largeBytes = 12 << 20

    /// All requests come from 127.0.0.1; no client is exempt.
    private static func server(answers: Int, _ routes: [Route] = []) throws -> TestServer {
        try TestServer(extra: routes) {
            $0.maximumAnswerMemoryBytes = answers
            $0.connections.isExempt = { _ in false }
        }
    }

    /// A client with a small receive buffer, so that a response is stuck at once.
    private static func unread(_ target: String, of server: TestServer) throws -> RawClient {
        let client = try server.connect(receiveBufferBytes: 4096)
        try client.send(TestServer.get(target))
        return client
    }

    @Test(arguments: ["/large", "/large/blocking"])
    func replacesAnAnswerOverTheClientsShare(_ path: String) throws {
        // A quarter of the budget holds one of these responses, not two.
        let server = try Self.server(answers: 6 * Self.largeBytes)
        let target = "\(path)?bytes=\(Self.largeBytes)"
        let first = try Self.unread(target, of: server)
        #expect(eventually { server.application.observed.count == 1 })
        let refusal = try server.get(target)
        #expect(refusal.status == 503)
        #expect(refusal.text == "overloaded")
        #expect(refusal["Retry-After"] == "5")
        #expect(refusal.announcesClose)
        #expect(server.application.times(.answersOfClient) == 1)
        // Small responses continue, and released memory is available again, both after reading and after disconnecting.
        #expect(try server.get("/hello").text == "hello")
        #expect(try first.readResponse().hasBody(Pattern.bytes(Self.largeBytes)))
        let second = try Self.unread(target, of: server)
        #expect(eventually { server.application.observed.count == 4 })
        second.closeByReset()
        // The worker that made the response may hold it a little longer than the connection lasted.
        #expect(try eventually { try server.get(target).hasBody(Pattern.bytes(Self.largeBytes)) })
    }

    @Test func replacesAnAnswerOverTheWholeBudget() throws {
        let server = try TestServer {
            $0.maximumAnswerMemoryBytes = 3 * Self.largeBytes / 2
            $0.connections.isExempt = { _ in true }
        }
        let target = "/large?bytes=\(Self.largeBytes)"
        let first = try Self.unread(target, of: server)
        #expect(eventually { server.application.observed.count == 1 })
        #expect(try server.get(target).status == 503)
        #expect(server.application.times(.answers) == 1)
        #expect(try server.get("/hello").text == "hello")
        #expect(try first.readResponse().hasBody(Pattern.bytes(Self.largeBytes)))
    }

    /// A body shared by many waiting connections is charged once.
    @Test func letsManyWaitForOneDocument() throws {
        let document = Pattern.bytes(Self.largeBytes)
        let shared = Route(.get, "/document") { _ in Response(status: .ok, body: .bytes(document)) }
        let server = try Self.server(answers: 6 * Self.largeBytes, [shared])
        let clients = try (0..<8).map { _ in try Self.unread("/document", of: server) }
        #expect(eventually { server.application.observed.count == 8 })
        for client in clients { #expect(try client.readResponse().hasBody(document)) }
        #expect(server.application.times(.answersOfClient) == 0)
    }

    /// Responses that have begun cannot become a 503: their connections are closed, the others continue.
    @Test func cutsPipelinedAnswersThatNobodyReads() throws {
        let server = try Self.server(answers: 1 << 20)
        let clients = try (0..<40).map { _ in try server.connect(receiveBufferBytes: 4096) }
        // Each response is too small to be charged individually; together they fill the sockets many times over.
        let requests = String(repeating: TestServer.get("/large?bytes=60000"), count: 200)
        for client in clients { try? client.send(requests) }
        #expect(eventually { server.application.times(.answersOfClient) > 0 })
        #expect(eventually { server.application.openConnections <= 5 })
        #expect(try server.get("/hello").text == "hello")
    }

    /// The kernel's buffers are memory, too, but not counted: they must be small for a client that does not read.
    @Test func leavesLittleToTheKernel() throws {
        let server = try Self.server(answers: 1 << 20)
        let client = try server.connect(receiveBufferBytes: 4096)
        // In total no more than the kernel would buffer by default.
        try client.send(String(repeating: TestServer.get("/large?bytes=60000"), count: 20))
        #expect(eventually { !server.application.observed.isEmpty })
        #expect(settled { server.application.observed.count } < 10)
        withExtendedLifetime(client) {}
    }

    @Test func cutsAStreamThatHasNoRoom() throws {
        let server = try Self.server(answers: 1 << 20)
        let client = try Self.unread("/stream?pieces=3&bytes=\(Self.largeBytes)", of: server)
        #expect(eventually { server.application.times(.answersOfClient) == 1 })
        #expect(throws: (any Error).self) { try client.readResponse() }
        #expect(eventually { server.application.openConnections == 0 })
    }

    /// Behind a proxy all clients have one address.
    @Test func doesNotLimitExemptClientsByShare() throws {
        let server = try TestServer {
            $0.maximumAnswerMemoryBytes = 4 * Self.largeBytes
            $0.connections.isExempt = { $0.isLoopback }
        }
        let target = "/large?bytes=\(Self.largeBytes)"
        let clients = try (0..<3).map { _ in try Self.unread(target, of: server) }
        #expect(eventually { server.application.observed.count == 3 })
        for client in clients { #expect(try client.readResponse().hasBody(Pattern.bytes(Self.largeBytes))) }
    }
}
