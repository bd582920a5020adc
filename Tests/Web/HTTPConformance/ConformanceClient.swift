import TestKit

/// Sends cases to a server, each on its own connection.
package struct ConformanceClient: Sendable {
    let host: String
    let port: Int
    /// Time without a response after which the server counts as silent.
    let timeoutSeconds: Double
    /// Whether connections use TLS.
    let speaksTLS: Bool

    package init(host: String = "127.0.0.1", port: Int, timeoutSeconds: Double = 5, speaksTLS: Bool = false) {
        self.speaksTLS = speaksTLS
        self.host = host
        self.port = port
        self.timeoutSeconds = timeoutSeconds
    }

    /// `byteByByte` sends each octet separately: the result must not depend on packet boundaries.
    package func observe(_ test: ConformanceCase, byteByByte: Bool = false) -> Observation {
        var observation = Observation()
        do {
            let client = try RawClient(port: port, host: host, timeoutSeconds: timeoutSeconds)
            if speaksTLS { try client.secure() }
            for step in test.script {
                switch step {
                case .send(let bytes) where byteByByte: sendEach(bytes, by: client)
                case .send(let bytes): try? client.send(bytes)
                case .awaitAnswer: try observation.read(from: client, for: test)
                case .endOutput: client.endOutput()
                }
            }
            while observation.answers.count <= test.answers.count { try observation.read(from: client, for: test) }
            let isCanary = test.hasCanary && observation.answers.last?.status == ConformanceCase.canaryStatus
            observation.ending = isCanary ? .open : .surplus
            observation.answers.removeLast()
        } catch {
            observation.ending = Self.ending(for: error)
        }
        return observation
    }

    private func sendEach(_ bytes: [UInt8], by client: RawClient) {
        for octet in bytes where (try? client.send([octet])) == nil { return }
    }

    private static func ending(for error: any Error) -> Observation.Ending {
        switch error as? RawClientError {
        case .closed(let received), .reset(let received): received.isEmpty ? .closed : .garbage
        case .timedOut(let received): received.isEmpty ? .silent : .garbage
        case .malformed: .garbage
        case .system, .none: .closed
        }
    }
}

extension Observation {
    fileprivate mutating func read(from client: RawClient, for test: ConformanceCase) throws {
        let index = answers.count
        let answer = try client.readResponse(to: index < test.answers.count ? test.answers[index].method : "GET")
        if answer.status < 200 { interims += 1 } else { answers.append(answer) }
    }
}
