extension ConformanceCase {
    /// One message that is refused, after which the server closes. The canary behind it is not answered.
    static func refused(
        _ id: String, _ section: String, _ statuses: [Int], _ text: String, _ reason: String,
        _ checks: AnswerCheck..., ending: ExpectedEnding = .closed, method: String = "GET"
    ) -> ConformanceCase {
        // A server that may stay open need not announce a close.
        let announcing: [AnswerCheck] = if case .closed = ending { [.announcesClose] } else { [] }
        return ConformanceCase(
            id, section, reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses, method: method, checks: announcing + checks)], ending: ending)
    }

    /// One sound message that is the connection's last: the canary behind it is not answered.
    static func closing(
        _ id: String, _ section: String, _ statuses: [Int], _ text: String, _ reason: String, _ checks: AnswerCheck...
    ) -> ConformanceCase {
        ConformanceCase(
            id, section, reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses, checks: [.announcesClose] + checks)], ending: .closed)
    }

    /// Refused by ours; a server that reads on is right as well when the canary is answered.
    static func mayRefuse(
        _ id: String, _ section: String, _ statuses: [Int], _ text: String, _ reason: String, _ checks: AnswerCheck...
    ) -> ConformanceCase {
        ConformanceCase(
            id, section, reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses, checks: checks)], ending: .closedOrOpen)
    }

    /// One sound message that gets one answer, and the canary behind it gets the next.
    static func served(
        _ id: String, _ section: String, _ statuses: [Int], _ text: String, _ reason: String,
        _ checks: AnswerCheck..., ending: ExpectedEnding = .open, method: String = "GET"
    ) -> ConformanceCase {
        ConformanceCase(
            id, section, reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses, method: method, checks: checks)], ending: ending)
    }

    /// Served by ours; a server that refuses and closes is right as well.
    static func mayServe(
        _ id: String, _ section: String, _ statuses: [Int], _ text: String, _ reason: String, _ checks: AnswerCheck...
    ) -> ConformanceCase {
        ConformanceCase(
            id, section, reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses, checks: checks)], ending: .openOrClosed)
    }

    /// Several messages in the same bytes and an answer for each, in order.
    static func pipelined(
        _ id: String, _ section: String, _ text: String, _ answers: [ExpectedAnswer], _ reason: String,
        ending: ExpectedEnding = .open
    ) -> ConformanceCase {
        ConformanceCase(id, section, reason, steps: [.send(octets(text))], answers: answers, ending: ending)
    }

    /// The client ends its side behind the bytes, so there is no canary, and the server closes.
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
