/// Counts and formats verdicts: tab-separated fields, so that two runs can be compared.
package struct Tally: Sendable {
    private let ofOurs: Bool
    private var counts: [String: Int] = [:]
    /// Cases with an unexpected result.
    package private(set) var unexpected = 0

    /// `ofOurs`: a choice other than that of our server counts as wrong.
    package init(ofOurs: Bool) { self.ofOurs = ofOurs }

    /// Result, id, observation, section, reason.
    package mutating func line(for test: ConformanceCase, _ observation: Observation) -> String {
        let (word, reason) = outcome(of: test, observation)
        counts[word, default: 0] += 1
        if word == "FAIL" || word == "stale" { unexpected += 1 }
        return [word, test.id, observation.summary, test.section, reason].joined(separator: "\t")
    }

    package var summary: String {
        let words = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return "\(counts.values.reduce(0, +)) cases: " + words.joined(separator: ", ")
    }

    private func outcome(of test: ConformanceCase, _ observation: Observation) -> (String, String) {
        let verdict = test.verdict(on: observation)
        if ofOurs {
            return switch verdict {
            case .asOurs: ("ok", test.reason)
            case .otherChoice: ("FAIL", "another choice than ours; \(test.reason)")
            case .wrong(let what): ("FAIL", "\(what); \(test.reason)")
            }
        }
        if let known = NginxDifferences.reasons[test.id] {
            if case .wrong = verdict { return ("known", known) }
            return ("stale", "listed as a difference and is none")
        }
        return switch verdict {
        case .asOurs: ("ok", test.reason)
        case .otherChoice: ("other", test.reason)
        case .wrong(let what): ("FAIL", "\(what); \(test.reason)")
        }
    }
}
