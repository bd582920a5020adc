import Foundation
import SubGuardClient
import Synchronization
import TestKit
import Testing

#if os(Linux)
    /// The live transport with sockets that send arbitrary responses.
    @Suite struct CurlTransportTests {
        private func answer(
            _ answer: String, maximumBytes: Int = 1000, timeout: Duration = .seconds(5)
        ) async throws -> TransportAnswer {
            let server = try CannedServer(answer)
            return try await CurlTransport().send(
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
                try await CurlTransport().send(
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
                try await CurlTransport().send(
                    TransportRequest(
                        method: "GET", url: "http://127.0.0.1:1/", maximumAnswerBytes: 10, timeout: .seconds(5)))
            }
        }

        @Test func aCallerThatGoesAwayEndsTheRequest() async throws {
            let server = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
            let task = Task {
                try await CurlTransport().send(
                    TransportRequest(
                        method: "GET", url: "http://127.0.0.1:\(server.port)/", maximumAnswerBytes: 10,
                        timeout: .seconds(30)))
            }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            await #expect(throws: TransportError.cancelled) { try await task.value }
        }
    }

    extension CurlTransportTests {
        /// libcurl would resend it automatically on a reused connection.
        @Test func whatHasABodyIsSentOnceWhateverBecomesOfTheConnection() async throws {
            let server = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", endsAfter: 1)
            let transport = CurlTransport()
            var request = TransportRequest(
                method: "GET", url: "http://127.0.0.1:\(server.port)/", maximumAnswerBytes: 10, timeout: .seconds(5))
            _ = try await transport.send(request)
            request.method = "POST"
            request.body = Array("x=1".utf8)
            await #expect(throws: TransportError.self) { try await transport.send(request) }
            #expect(server.requests == 2)
        }
    }

    extension CurlTransportTests {
        private func error(
            _ answer: String, method: String = "GET", fields: [String: String] = [:], hangsUp: Bool = false
        ) async throws -> TransportError? {
            let server = try CannedServer(answer, hangsUp: hangsUp)
            return await Self.error(
                TransportRequest(
                    method: method, url: "http://127.0.0.1:\(server.port)/", fields: fields,
                    body: method == "GET" ? nil : Array("{}".utf8), maximumAnswerBytes: 1000, timeout: .seconds(20)))
        }

        private static func error(_ request: TransportRequest) async -> TransportError? {
            do throws(TransportError) {
                _ = try await CurlTransport().send(request)
                return nil
            } catch {
                return error
            }
        }

        /// Also where the connection stays open.
        @Test(
            arguments: ["GET", "POST"].flatMap { method in [200, 503].map { (method, $0) } },
            [(Int.max.description, false), (Int.max.description, true), ("9223372036854775808", true), ("-1", true)])
        func aLengthThatNothingHasIsRefused(_ call: (String, Int), _ length: (String, Bool)) async throws {
            let (method, status) = call
            let error = try await error(
                "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(length.0)\r\n\r\n{}",
                method: method, hangsUp: length.1)
            #expect(error == .answerTooLarge || error == .unreachable(.garbled), "\(error as Any)")
        }

        @Test(arguments: [
            "Basic", "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Negotiate", "Bearer", ",,=\"",
        ])
        func aRefusedTokenIsAnAnswerWhateverTheServerWouldRatherHave(_ scheme: String) async throws {
            let answer = try await answer(
                "HTTP/1.1 401 No\r\nWWW-Authenticate: \(scheme)\r\nContent-Length: 2\r\n\r\n{}")
            #expect(answer.status == 401 && answer.body == Array("{}".utf8))
            #expect(answer.fields["www-authenticate"] == scheme)
        }

        @Test func fieldsOfOneNameAreJoinedAndThoseOfOtherHeadsAreNone() async throws {
            let answer = try await answer(
                "HTTP/1.1 103 Early\r\nX-A: 0\r\n\r\nHTTP/1.1 200 OK\r\nX-A: 1\r\nEmpty:\r\nx-a:  é, \"2\" \r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\nX-A: 3\r\n\r\n")
            #expect(answer.fields["x-a"] == "1, é, \"2\"" && answer.fields["empty"] == "", "\(answer.fields)")
            #expect(answer.body == [0x62])
        }

        @Test func aHeadHasABound() async throws {
            let many = String(repeating: "X:\r\n", count: 1100)
            #expect(try await error("HTTP/1.1 200 OK\r\n\(many)Content-Length: 0\r\n\r\n") == .answerTooLarge)
            let long = String(repeating: "X: " + String(repeating: "y", count: 1000) + "\r\n", count: 140)
            #expect(try await error("HTTP/1.1 200 OK\r\n\(long)Content-Length: 0\r\n\r\n") == .answerTooLarge)
            let early = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 600)
            #expect(try await error(early) == .answerTooLarge)
        }

        @Test(arguments: ["http://10.1.2.3/", "http://192.0.2.1:9/", "ftp://127.0.0.1/", "http://u:p@127.0.0.1:9/", ""])
        func whatWouldLeaveTheMachineInClearIsNotSent(_ url: String) async throws {
            let request = TransportRequest(
                method: "GET", url: url, maximumAnswerBytes: 10, timeout: .seconds(5))
            let special = ConnectionFault.other("the target lies in a special range (documentation)")
            guard case .unreachable(let fault) = await Self.error(request) else {
                Issue.record("\(url) is no error")
                return
            }
            #expect([.unusableAddress, .other("without TLS only this machine is allowed"), special].contains(fault))
        }

        /// libcurl looks at its time limit between reads only, and layers of codings make hours of work of one read.
        @Test(arguments: [
            "Content-Encoding: gzip, gzip", "Content-Encoding: gzip\r\nContent-Encoding: gzip",
            "content-encoding: deflate",
            "Transfer-Encoding: gzip, chunked", "Content-Encoding: identity,gzip , GZIP",
        ])
        func stackedCodingsAreRefused(_ field: String) async throws {
            let server = try CannedServer("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 5\r\n\r\nabcde")
            let request = TransportRequest(
                method: "GET", url: "http://127.0.0.1:\(server.port)/", maximumAnswerBytes: 10, timeout: .seconds(60))
            #expect(await Self.error(request) == .unreachable(.garbled))
        }

        @Test(arguments: ["a\r\nX: y", "a\nX: y", "\u{0}"])
        func aFieldCannotBeginAnother(_ value: String) async throws {
            let server = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            let request = TransportRequest(
                method: "GET", url: "http://127.0.0.1:\(server.port)/", fields: ["Authorization": "Bearer " + value],
                maximumAnswerBytes: 10, timeout: .seconds(5))
            #expect(await Self.error(request) != nil && server.requests == 0)
        }

        /// More than there are cores.
        @Test(.timeLimit(.minutes(5))) func slowServersHoldUpNoOtherCall() async throws {
            let transport = CurlTransport()
            let slow = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
            let fast = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab")
            func call(_ port: Int) -> TransportRequest {
                TransportRequest(
                    method: "GET", url: "http://127.0.0.1:\(port)/", maximumAnswerBytes: 10, timeout: .seconds(240))
            }
            await withTaskGroup { group in
                for _ in 0..<24 {
                    group.addTask { _ = try? await transport.send(call(slow.port)) }
                }
                while slow.requests < 24 { try? await Task.sleep(for: .milliseconds(5)) }
                let answer = try? await transport.send(call(fast.port))
                #expect(answer?.body == Array("ab".utf8))
                group.cancelAll()
            }
        }
    }
#endif
