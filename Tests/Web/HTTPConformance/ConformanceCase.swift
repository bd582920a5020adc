/// One thing that a server is sent, and what a server that follows the RFCs may do then.
///
/// Where an RFC leaves room, several statuses or endings are right; the first one named is what ours does.
package struct ConformanceCase: Sendable, CustomStringConvertible {
    /// What the client does, in order.
    package enum Step: Sendable {
        /// May fail without harm: the server may have answered and closed already.
        case send([UInt8])
        /// Waits for the next answer, also an interim one, before it goes on.
        case awaitAnswer
        /// Ends the client's side; the server's can still be read.
        case endOutput
    }

    /// Unique and stable: `topic-what`.
    package let id: String
    /// Number of the RFC and section, e.g. `9112 6.3`.
    package let section: String
    /// What would go wrong, or why this must work, in one line.
    package let reason: String
    /// Without the canary; see ``script``.
    let steps: [Step]
    let answers: [ExpectedAnswer]
    let ending: ExpectedEnding
    /// How many interim answers (1xx) may come before the final ones; ours sends the fewest.
    let interims: ClosedRange<Int>
    /// A request that follows in the same bytes, so that a message which is read wrongly shows in its answer.
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

    /// The canary's address, which no server has: its 404 is told from an answer to anything else.
    package static let canaryTarget = "/conformance/canary"
    static let canaryStatus = 404

    /// Ours answers the last message and closes, so the canary must not reach it.
    package var closesOurs: Bool { !ending.oursIsOpen }

    /// Byte by byte it shows nothing more, because it is so much; or something else, because whether an interim answer is
    /// of use depends on what has come.
    package var comesWhole: Bool {
        script.contains { if case .send(let bytes) = $0 { bytes.count > 3000 } else { false } }
            || interims.lowerBound < interims.upperBound
    }

    /// The steps with the canary right behind the last bytes.
    var script: [Step] {
        guard hasCanary, let last = steps.last, case .send(let bytes) = last else { return steps }
        return steps.dropLast() + [.send(bytes + octets(get(Self.canaryTarget)))]
    }
}

/// What a right server answers.
struct ExpectedAnswer: Sendable {
    /// The statuses that are right, ours first.
    let statuses: [Int]
    /// The request's method: the answer to HEAD has no body.
    var method = "GET"
    var checks: [AnswerCheck] = []
}

/// What becomes of the connection after the last answer.
enum ExpectedEnding: Sendable {
    /// The canary is answered.
    case open
    /// The connection ends, and the canary is not answered.
    case closed
    /// Ours stays open; closing is right as well.
    case openOrClosed
    /// Ours closes; staying open is right as well, when the canary is answered.
    case closedOrOpen
    /// Ours closes; what a server does that goes on waiting cannot be told from here.
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
