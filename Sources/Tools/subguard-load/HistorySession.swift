import Foundation
import Simulator
import SubGuardDomain

/// The history requested by `load --history`.
struct HistoryOrder {
    let target: LoadTarget
    let devices: Int
    let weeks: Int
    let seed: UInt64
    /// Requires the permission `metrics.read`.
    let token: String
    /// The timeout of each request.
    let timeout: Duration
}

/// One run of `subguardd load --history`: sends the history and prints the dashboard.
struct HistorySession {
    let order: HistoryOrder
    let ownsServer: Bool

    init(_ order: HistoryOrder, ownsServer: Bool) {
        self.order = order
        self.ownsServer = ownsServer
    }

    func run() throws {
        let progress = ProgressDisplay.standardError
        let address = try NetworkAddress.resolve(order.target, isOwned: ownsServer)
        let server = ServerCalls(order.target, address, token: order.token, timeout: order.timeout) { seconds in
            progress.note("rate limit reached; waiting \(seconds) s")
            Thread.sleep(forTimeInterval: Double(seconds))
        }
        let run = HistoryRun(server, progress: progress)
        let plan = HistoryPlan(
            devices: order.devices, weeks: order.weeks, seed: order.seed, endsAt: Self.lastFullHour(),
            catalogue: try run.items(seed: order.seed))
        let totals = try run.send(History(plan))
        print(try run.summary(totals, devices: order.devices), terminator: "")
    }

    /// Runs within the same hour send the same timestamps.
    private static func lastFullHour() -> UTCInstant {
        let seconds = Int64(Date().timeIntervalSince1970)
        return UTCInstant(secondsSinceEpoch: seconds - seconds % 3600)
    }
}
