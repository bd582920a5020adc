package import TestKit

/// The behaviour of a server for a case.
package struct Observation: Sendable {
    package enum Ending: Sendable, Equatable {
        /// The canary was answered.
        case open
        /// The server ended the connection.
        case closed
        /// Neither a response nor the end arrived in time.
        case silent
        /// Something other than the canary was answered after the case's own responses.
        case surplus
        /// Bytes that are not an HTTP response.
        case garbage
    }

    /// Final responses in order, without the canary's.
    package internal(set) var answers: [RawResponse] = []
    package internal(set) var interims = 0
    package internal(set) var ending = Ending.silent

    /// `200 200 open`, `100 202 open`, `400 closed`, `closed`.
    package var summary: String {
        let statuses = Array(repeating: "100", count: interims) + answers.map { String($0.status) }
        return (statuses + ["\(ending)"]).joined(separator: " ")
    }
}

/// The comparison of an observation with its case.
package enum Verdict: Sendable, Equatable {
    /// The choice of our server.
    case asOurs
    /// Another choice that the RFC allows.
    case otherChoice
    /// Violates the RFC, or a rule that the table applies to all servers. Contains the reason.
    case wrong(String)
}

extension ConformanceCase {
    package func verdict(on observation: Observation) -> Verdict {
        guard observation.answers.count == answers.count else {
            if answers.count == 1, observation.answers.isEmpty, case .closedOrAnything = ending { return .otherChoice }
            return .wrong("\(answers.count) answers expected")
        }
        for (index, (expected, answer)) in zip(answers, observation.answers).enumerated() {
            guard expected.statuses.contains(answer.status) else {
                return .wrong("expected \(expected.statuses.map(String.init).joined(separator: " or "))")
            }
            let earlier = observation.answers[..<index]
            for check in AnswerCheck.always + expected.checks where !check.holds(answer, Array(earlier)) {
                return .wrong(check.name)
            }
        }
        guard ending.allows(observation.ending) else { return .wrong("expected \(ending)") }
        guard interims.contains(observation.interims) else { return .wrong("\(interims) interim answers expected") }
        let isOurs =
            zip(answers, observation.answers).allSatisfy { $0.statuses.first == $1.status }
            && observation.ending == (ending.oursIsOpen ? .open : .closed)
            && observation.interims == interims.lowerBound
        return isOurs ? .asOurs : .otherChoice
    }
}
