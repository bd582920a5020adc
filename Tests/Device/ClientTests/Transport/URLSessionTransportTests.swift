import Foundation
import SubGuardClient
import Synchronization
import TestKit
import Testing

#if os(Linux)
    /// The live transport with sockets that send arbitrary responses.
    @Suite struct URLSessionTransportTests {
        private func answer(
            _ answer: String, maximumBytes: Int = 1000, timeout: Duration = .seconds(5)
        ) async throws -> TransportAnswer {
            let server = try CannedServer(answer)
            return try await URLSessionTransport().send(
                TransportRequest(
                    method: "GET", url: "http://127.0.0.1:\(server.port)/x", maximumAnswerBytes: maximumBytes,
                    timeout: timeout))
        }

        @Test func givesStatusFieldsAndBody() async throws {
            let answer = try await answer("HTTP/1.1 422 No\r\nETag: \"a\"\r\nContent-Length: 3\r\n\r\nabc")
            #expect(answer.status == 422 && answer.body == Array("abc".utf8) && answer.fields["etag"] == "\"a\"")
        }

        @Test func aRedirectIsAnAnswer() async throws {
            let answer = try await answer(
                "HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
            #expect(answer.status == 301)
        }

        @Test func tooMuchIsRefusedWhileItArrives() async throws {
            let body = String(repeating: "x", count: 5000)
            await #expect(throws: TransportError.answerTooLarge) {
                try await answer("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + body)
            }
        }

        @Test(arguments: [
            ("", ConnectionFault.cut), ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", .cut),
            ("SSH-2.0-OpenSSH_9.2\r\n", .noHTTP),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde", .garbled),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .garbled),
            ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 400_000) + "\r\n\r\n", .garbled),
        ])
        func whatIsWrongWithAnAnswerIsNamed(_ answer: String, _ fault: ConnectionFault) async throws {
            let server = try CannedServer(answer, hangsUp: true)
            await #expect(throws: TransportError.unreachable(fault)) {
                try await URLSessionTransport().send(
                    TransportRequest(
                        method: "GET", url: "http://127.0.0.1:\(server.port)/", maximumAnswerBytes: 1000,
                        timeout: .seconds(20)))
            }
        }

        @Test func silenceHasAnEnd() async throws {
            await #expect(throws: TransportError.timedOut) {
                try await answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", timeout: .milliseconds(300))
            }
        }

        /// Uses port 1, which no program uses: another test may take a port that was free a moment ago.
        @Test func nobodyListening() async throws {
            await #expect(throws: TransportError.self) {
                try await URLSessionTransport().send(
                    TransportRequest(
                        method: "GET", url: "http://127.0.0.1:1/", maximumAnswerBytes: 10, timeout: .seconds(5)))
            }
        }

        @Test func aCallerThatGoesAwayEndsTheRequest() async throws {
            let server = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
            let task = Task {
                try await URLSessionTransport().send(
                    TransportRequest(
                        method: "GET", url: "http://127.0.0.1:\(server.port)/", maximumAnswerBytes: 10,
                        timeout: .seconds(30)))
            }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            await #expect(throws: TransportError.cancelled) { try await task.value }
        }
    }

    extension URLSessionTransportTests {
        /// libcurl would resend it automatically on a reused connection.
        @Test func whatHasABodyIsSentOnceWhateverBecomesOfTheConnection() async throws {
            let server = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", endsAfter: 1)
            let transport = URLSessionTransport()
            var request = TransportRequest(
                method: "GET", url: "http://127.0.0.1:\(server.port)/", maximumAnswerBytes: 10, timeout: .seconds(5))
            _ = try await transport.send(request)
            request.method = "POST"
            request.body = Array("x=1".utf8)
            await #expect(throws: TransportError.self) { try await transport.send(request) }
            #expect(server.requests == 2)
        }
    }
#endif
