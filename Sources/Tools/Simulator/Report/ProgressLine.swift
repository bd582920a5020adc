/// How a run stands, in one line.
package enum ProgressLine {
    /// `previous` is what was counted `interval` seconds before.
    package static func text(
        _ tally: LoadTally, seconds: Double, previous: LoadTally, interval: Double, showsEvents: Bool
    ) -> String {
        let done =
            showsEvents ? tally.reported.accepted - previous.reported.accepted : tally.answered - previous.answered
        let rate = interval > 0 ? Double(done) / interval : 0
        let p99 = NumberText.milliseconds(fromMicroseconds: LatencyTable.value(of: tally.fromDue, at: 99))
        let failed = tally.faultCount + tally.answered - tally.succeeded
        return "\(NumberText.fixed(seconds, 1)) s  \(NumberText.fixed(rate)) \(showsEvents ? "events" : "requests")/s  "
            + "p99 \(p99) ms  \(NumberText.grouped(tally.answered)) answers  \(NumberText.grouped(failed)) failed"
    }
}
