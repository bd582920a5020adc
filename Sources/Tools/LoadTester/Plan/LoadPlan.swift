import ArgumentParser
import DeviceSimulation
import Foundation
import SubGuardContract

/// Which load to send, to which servers, and for how long: the options of the command line. ``check()`` validates them.
package struct LoadPlan: ParsableArguments, Sendable {
    enum Profile: String, CaseIterable, ExpressibleByArgument, Sendable {
        /// Analytics batches.
        case ingest
        /// Reads of the catalogue: a page, and searches.
        case catalogue
        /// Both, alternating.
        case mixed
    }

    static let tokenVariable = "SUBGUARD_TOKEN"

    @Option(help: "A server, http[s]://HOST:PORT; repeat it to load several. (default: http://127.0.0.1:8080)")
    var url: [String] = []

    @Option(help: ArgumentHelp("PEM file with the certificate authorities to trust for https.", valueName: "file"))
    var caFile: String?

    @Flag(help: "Accept any certificate for https.")
    var insecure = false

    @Flag(name: .customLong("i-own-this-server"), help: "Load a server outside this machine and private networks.")
    var ownsServer = false

    // MARK: A constant rate

    @Option(help: "Events a second. (default: 1000)")
    var rate: Double?

    @Option(help: "Requests a second, instead of --rate.")
    var requestRate: Double?

    @Flag(help: "Send the next request after each response: finds the maximum rate; flatters a slow server.")
    var closed = false

    @Flag(help: "Find the knee, the highest rate that keeps all bounds: double, then bisect; --duration per step.")
    var ramp = false

    @Option(
        help: "How long to measure; with --devices, the time for all days. (default: 30s; 2s a day)",
        transform: DurationText.parse)
    var duration: Duration?

    @Option(
        help: "How long to send and verify traffic before measuring. (default: a tenth of --duration, at most 3s)",
        transform: DurationText.parse)
    var warmUp: Duration?

    @Option(
        help: "How long to wait for a response. (default: 10s; with --devices and --history 30s)",
        transform: DurationText.parse)
    var timeout: Duration?

    @OptionGroup var thresholds: Thresholds

    @Option(help: "Keep-alive connections; each carries one request at a time.")
    var connections = 16

    @Option(help: "Threads of the load tool.")
    var threads = 1

    @Option(help: "What to request: analytics batches, reads of the catalogue, or both in turn.")
    var profile = Profile.ingest

    @Option(help: "Batch sizes with weights, SIZE:WEIGHT,… (default: \(BatchMix.usual))", transform: BatchMix.init)
    var batchSizes = BatchMix.usual

    @Option(help: "Percentage of events that repeat an earlier one.")
    var duplicates = 0.0

    @Option(help: "Percentage of events that break a rule.")
    var bad = 0.0

    @Option(help: "Percentage of batches in gzip; costs the load tool CPU time.")
    var gzip = 0.0

    @Option(help: "Number of users to whom the events belong.")
    var users = 10_000

    @Option(
        name: .customLong("signing-key-file"),
        help: ArgumentHelp("Sign the batches with the key NAME:BASE64 in this file.", valueName: "file"),
        transform: IngestSigningKey.init(file:))
    var signingKey: IngestSigningKey?

    @Option(help: "Days over which timestamps are spread, or for which devices are simulated. (default: 0; 32)")
    var days: Int?

    @Option(
        help: "The same seed sends the same traffic, so use it once per database. (default: random; with --history 7)")
    var seed: UInt64?

    // MARK: Devices

    @Option(help: "Simulate N devices instead, each on its own connection. (default with --history: 4000)")
    var devices: Int?

    @OptionGroup var history: HistoryOptions

    @Option(
        help: ArgumentHelp(
            "Access token with the permission metrics.read: compare the dashboard with the counts of the devices.",
            discussion: "Prefer \(Self.tokenVariable): other users of this machine can read arguments."))
    var token: String?

    // MARK: Results

    @Option(help: "Process id of the server on this machine, to report its CPU time.")
    var serverPid: Int32?

    @Option(help: ArgumentHelp("The server's SQLite file, to report its growth.", valueName: "file"))
    var serverStore: String?

    @Option(help: ArgumentHelp("Write the figures as JSON.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write a page with plots.", valueName: "file"))
    var report: String?

    package init() {}
}
