/// What became of all batches. None of their events was rejected: that ends the demo.
struct SendingTotals: Sendable {
    var sent = 0
    var accepted = 0
    var duplicates = 0
    var elapsed = Duration.zero

    func summary(devices: Int) -> String {
        let tenths = elapsed / .milliseconds(100)
        let seconds = "\(Int(tenths) / 10).\(Int(tenths) % 10)"
        return "\(sent) events of \(devices) devices in \(seconds) s: "
            + "\(accepted) accepted, \(duplicates) duplicates, 0 rejected"
    }
}
