import Foundation
import SubGuardDomain

/// The demo from end to end.
struct DemoRun {
    private let options: DemoOptions
    private let server: DemoServer

    init(_ options: DemoOptions) throws {
        self.options = options
        let progress = ProgressDisplay.standardError
        let waiting = PatientWaiting { seconds in
            progress.note("the server asks to wait \(seconds) s")
            try await Task.sleep(for: .seconds(seconds))
        }
        server = DemoServer(address: try options.address(), token: try options.credential(), waiting: waiting)
    }

    func run() async throws {
        // Fails at once, not after minutes of sending, when the token does not open the dashboard.
        _ = try await server.dashboard()
        let catalogue = try await server.catalogue()
        guard !catalogue.isEmpty else { throw DemoError.emptyCatalogue }
        let plan = HistoryPlan(
            devices: options.devices, weeks: options.weeks, seed: options.seed, endsAt: Self.lastFullHour(),
            catalogue: CataloguePopularity.order(catalogue, seed: options.seed))
        let totals = try await EventSender(server: server, progress: .standardError).send(History(plan))
        print(totals.summary(devices: options.devices))
        print(DashboardTable(try await server.dashboard()).text, terminator: "")
    }

    /// Runs within the same hour send the same timestamps.
    private static func lastFullHour() -> UTCInstant {
        let seconds = Int64(Date().timeIntervalSince1970)
        return UTCInstant(secondsSinceEpoch: seconds - seconds % 3600)
    }
}
