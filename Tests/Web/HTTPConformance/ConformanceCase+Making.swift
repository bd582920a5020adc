extension ConformanceCase {
    /// A message that is rejected, after which the server closes. The canary after it is not answered.
    static func refused(
        _ id: String, _ section: String, _ statuses: [Int], _ text: String, _ reason: String,
        _ checks: AnswerCheck..., ending: ExpectedEnding = .closed, method: String = "GET"
    ) -> ConformanceCase {
        // A server that may stay open need not announce closing.
        let announcing: [AnswerCheck] = if case .closed = ending { [.announcesClose] } else { [] }
        return ConformanceCase(
            id, section, reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses, method: method, checks: announcing + checks)], ending: ending)
    }

    /// A valid message that is the last one of the connection: the canary after it is not answered.
    static func closing(
        _ id: String, _ section: String, _ statuses: [Int], _ text: String, _ reason: String, _ checks: AnswerCheck...
    ) -> ConformanceCase {
        ConformanceCase(
            id, section, reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses, checks: [.announcesClose] + checks)], ending: .closed)
    }

    /// Rejected by our server; a server that continues is correct as well if the canary is answered.
    static func mayRefuse(
        _ id: String, _ section: String, _ statuses: [Int], _ text: String, _ reason: String, _ checks: AnswerCheck...
    ) -> ConformanceCase {
        ConformanceCase(
            id, section, reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses, checks: checks)], ending: .closedOrOpen)
    }

    /// A valid message with one response; the canary gets the next one.
    static func served(
        _ id: String, _ section: String, _ statuses: [Int], _ text: String, _ reason: String,
        _ checks: AnswerCheck..., ending: ExpectedEnding = .open, method: String = "GET"
    ) -> ConformanceCase {
        ConformanceCase(
            id, section, reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses, method: method, checks: checks)], ending: ending)
    }

    /// Served by our server; a server that rejects it and closes is correct as well.
    static func mayServe(
        _ id: String, _ section: String, _ statuses: [Int], _ text: String, _ reason: String, _ checks: AnswerCheck...
    ) -> ConformanceCase {
        ConformanceCase(
            id, section, reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses, checks: checks)], ending: .openOrClosed)
    }

    /// Several pipelined messages, with a response for each, in order.
    static func pipelined(
        _ id: String, _ section: String, _ text: String, _ answers: [ExpectedAnswer], _ reason: String,
        ending: ExpectedEnding = .open
    ) -> ConformanceCase {
        ConformanceCase(id, section, reason, steps: [.send(octets(text))], answers: answers, ending: ending)
    }

    /// The client ends its side after the bytes, so there is no canary, and the server closes.
    static func ended(
        _ id: String, _ section: String, _ text: String, _ answers: [ExpectedAnswer], _ reason: String
    ) -> ConformanceCase {
        ConformanceCase(
            id, section, reason, steps: [.send(octets(text)), .endOutput], answers: answers, ending: .closedOrAnything,
            hasCanary: false)
    }
}

extension ExpectedAnswer {
    static func answer(_ statuses: Int..., method: String = "GET", checks: [AnswerCheck] = []) -> ExpectedAnswer {
        ExpectedAnswer(statuses: statuses, method: method, checks: checks)
    }
}
