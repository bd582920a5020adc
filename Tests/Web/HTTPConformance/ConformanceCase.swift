/// An input for a server, and the responses that the RFCs allow.
///
/// Where an RFC allows several statuses or endings, the first one is that of our server.
package struct ConformanceCase: Sendable, CustomStringConvertible {
    /// An action of the client, in order.
    package enum Step: Sendable {
        /// May fail: the server may have responded and closed already.
        case send([UInt8])
        /// Waits for the next response, including interim ones.
        case awaitAnswer
        /// Ends the client's side; the server's side can still be read.
        case endOutput
    }

    /// Unique and stable: `topic-what`.
    package let id: String
    /// RFC number and section, such as `9112 6.3`.
    package let section: String
    /// What would go wrong, or why this must work, in one line.
    package let reason: String
    /// Without the canary; see ``script``.
    let steps: [Step]
    let answers: [ExpectedAnswer]
    let ending: ExpectedEnding
    /// The allowed number of interim responses (1xx) before the final ones; ours sends the minimum.
    let interims: ClosedRange<Int>
    /// Whether a further request follows in the same bytes, so that wrong parsing shows in its response.
    let hasCanary: Bool

    init(
        _ id: String, _ section: String, _ reason: String, steps: [Step], answers: [ExpectedAnswer],
        ending: ExpectedEnding, interims: ClosedRange<Int> = 0...0, hasCanary: Bool = true
    ) {
        self.id = id
        self.section = section
        self.reason = reason
        self.steps = steps
        self.answers = answers
        self.ending = ending
        self.interims = interims
        self.hasCanary = hasCanary
    }

    package var description: String { "\(id) (\(section))" }

    /// The canary's path, which no server has: its 404 distinguishes it from other responses.
    package static let canaryTarget = "/conformance/canary"
    static let canaryStatus = 404

    /// Our server answers the last message and closes, so the canary must not reach it.
    package var closesOurs: Bool { !ending.oursIsOpen }

    /// Whether the case is not sent byte by byte, because it is too large, or because whether an interim response is
    /// useful depends on what has arrived.
    package var comesWhole: Bool {
        script.contains { if case .send(let bytes) = $0 { bytes.count > 3000 } else { false } }
            || interims.lowerBound < interims.upperBound
    }

    /// The steps, with the canary directly after the last bytes.
    var script: [Step] {
        guard hasCanary, let last = steps.last, case .send(let bytes) = last else { return steps }
        return steps.dropLast() + [.send(bytes + octets(get(Self.canaryTarget)))]
    }
}

/// A correct response.
struct ExpectedAnswer: Sendable {
    /// The correct statuses, that of our server first.
    let statuses: [Int]
    /// The request's method: the response to HEAD has no body.
    var method = "GET"
    var checks: [AnswerCheck] = []
}

/// What happens to the connection after the last response.
enum ExpectedEnding: Sendable {
    /// The canary is answered.
    case open
    /// The connection is closed, and the canary is not answered.
    case closed
    /// Our server stays open; closing is correct as well.
    case openOrClosed
    /// Our server closes; staying open is correct as well if the canary is answered.
    case closedOrOpen
    /// Our server closes; for a server that keeps waiting, correctness cannot be determined.
    case closedOrAnything

    var oursIsOpen: Bool {
        switch self {
        case .open, .openOrClosed: true
        case .closed, .closedOrOpen, .closedOrAnything: false
        }
    }

    func allows(_ ending: Observation.Ending) -> Bool {
        switch self {
        case .open: ending == .open
        case .closed: ending == .closed
        case .openOrClosed, .closedOrOpen: ending == .open || ending == .closed
        case .closedOrAnything: true
        }
    }
}
