import Testing

@testable import DeviceSimulation
@testable import LoadTester

struct ServerCallsTests {
    /// Returns these statuses in turn, then repeats the last one. Returns the final status and the waits.
    private func run(_ answers: [(status: Int, retryAfter: String?)]) throws -> (status: Int, waits: [Int], tries: Int)
    {
        var (tries, waits) = (0, [Int]())
        let last = try ServerCalls.whenFree(call: "POST /x", { waits.append($0) }) { () throws(RunError) in
            let (status, retryAfter) = answers[min(tries, answers.count - 1)]
            tries += 1
            let field = retryAfter.map { "Retry-After: \($0)\r\n" } ?? ""
            var reader = AnswerReader()
            Array("HTTP/1.1 \(status) X\r\n\(field)Content-Length: 0\r\n\r\n".utf8).withUnsafeBytes {
                reader.append($0)
            }
            guard let answer = try? reader.next() else { throw RunError("test") }
            return answer
        }
        return (last.status, waits, tries)
    }

    @Test func waitsAsLongAsTheServerAsks() throws {
        let result = try run([(429, "7"), (503, "2"), (202, nil)])
        #expect(result.status == 202)
        #expect(result.waits == [7, 2])
    }

    @Test func waitsASecondWhenTheServerDoesNotSayAndNeverForHours() throws {
        let result = try run([(503, nil), (429, "soon"), (429, "-3"), (503, "86400"), (200, nil)])
        #expect(result.status == 200)
        #expect(result.waits == [1, 1, 1, 120])
    }

    @Test(arguments: [200, 400, 401, 500, 502])
    func otherAnswersAreAnswers(status: Int) throws {
        let result = try run([(status, "9")])
        #expect(result.status == status)
        #expect(result.waits.isEmpty)
    }

    @Test func givesUpOnAServerThatIsAlwaysBusy() throws {
        var waits = 0
        #expect {
            _ = try ServerCalls.whenFree(call: "POST /x", { _ in waits += 1 }) { () throws(RunError) in
                var reader = AnswerReader()
                Array("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n".utf8).withUnsafeBytes { reader.append($0) }
                guard let answer = try? reader.next() else { throw RunError("test") }
                return answer
            }
        } throws: { error in
            "\(error)" == "POST /x was answered 503 20 times; giving up"
        }
        #expect(waits == 19)
    }
}
