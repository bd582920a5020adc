import Foundation
import Synchronization
import Testing
import subguard_demo

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct PatientWaitingTests {
    /// Answers with these statuses in turn, then with the last one for ever.
    private final class Script: Sendable {
        private let answers: [(status: Int, retryAfter: String?)]
        private let asked = Mutex(0)
        let slept = Mutex<[Int]>([])

        init(_ answers: [(status: Int, retryAfter: String?)]) { self.answers = answers }

        var tries: Int { asked.withLock { $0 } }

        func exchange() throws -> (Data, HTTPURLResponse) {
            let index = asked.withLock { count in
                count += 1
                return min(count, answers.count) - 1
            }
            let (status, retryAfter) = answers[index]
            let url = try #require(URL(string: "http://127.0.0.1/"))
            let fields = retryAfter.map { ["Retry-After": $0] } ?? [:]
            let response = try #require(
                HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
            return (Data(), response)
        }

        func run() async throws -> Int {
            let waiting = PatientWaiting { [self] seconds in slept.withLock { $0.append(seconds) } }
            return try await waiting.whileBusy(call: "POST /x") { try exchange() }.1.statusCode
        }
    }

    @Test func waitsAsLongAsTheServerAsks() async throws {
        let script = Script([(429, "7"), (503, "2"), (202, nil)])
        #expect(try await script.run() == 202)
        #expect(script.slept.withLock { $0 } == [7, 2])
    }

    @Test func waitsASecondWhenTheServerDoesNotSayAndNeverForHours() async throws {
        let script = Script([(503, nil), (429, "soon"), (429, "-3"), (503, "86400"), (200, nil)])
        #expect(try await script.run() == 200)
        #expect(script.slept.withLock { $0 } == [1, 1, 1, 120])
    }

    @Test(arguments: [200, 400, 401, 500, 502])
    func otherAnswersAreAnswers(status: Int) async throws {
        let script = Script([(status, "9")])
        #expect(try await script.run() == status)
        #expect(script.slept.withLock { $0 }.isEmpty)
    }

    @Test func givesUpOnAServerThatIsBusyForEver() async throws {
        let script = Script([(503, "1")])
        await #expect {
            _ = try await script.run()
        } throws: { error in
            guard case DemoError.stillBusy(let call, let status, let tries) = error else { return false }
            return call == "POST /x" && status == 503 && tries == script.tries
        }
        #expect(script.slept.withLock { $0.count } == script.tries - 1)
    }
}
