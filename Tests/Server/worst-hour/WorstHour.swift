import ArgumentParser
import Foundation

/// Sends the worst traffic that the default limits allow, from many clients and with a simulated clock, and measures
/// how much the database grows. Prints one line for each kind of traffic. Fails if the total for an hour exceeds a
/// gigabyte, or if a device that sends little is rejected or not counted meanwhile.
///
/// Each kind is sent until it is rejected, and scaled up to what the limits allow in an hour: 61 times a minute's quota
/// (one that is in the bucket and 60 that are added), and twice an hour's.
@main
struct WorstHour: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "worst-hour")

    @Option(help: "Bytes by which an hour may make the store grow.") var maximumBytes: Int64 = 1_000_000_000
    @Option(help: "A setting of the server as key=value, for trying out other limits.") var set: [String] = []

    func run() throws {
        let settings = try set.map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ValidationError("--set needs key=value") }
            return (parts[0], parts[1])
        }
        let server = try AttackedServer(settings: settings)
        var attack = Attack(server: server)
        let rows = try attack.run()
        let honest = try attack.honest.outcome(of: server)
        try server.stop()
        var sum: Int64 = 0
        for row in rows {
            sum += row.bytesInAnHour
            print(
                "\(row.name): \(row.sent) \(row.unit) grew the store by \(row.bytes) bytes, "
                    + "an hour of \(row.inAnHour) by \(row.bytesInAnHour >> 20) MiB")
        }
        print("an hour in all: \(sum >> 20) MiB, at most \(maximumBytes >> 20)")
        print(
            "devices that send little: \(honest.sent) events sent, \(honest.accepted) accepted, \(honest.counted) users"
        )
        guard sum < maximumBytes else { throw Failure(description: "the store grows by more than is allowed") }
        guard honest.accepted == honest.sent, honest.counted == honest.users else {
            throw Failure(description: "a device that sends little was refused or not counted")
        }
    }
}

struct Failure: Error, CustomStringConvertible { let description: String }
