import ArgumentParser
import Foundation
import SubGuardDomain

struct DemoOptions: ParsableArguments {
    static let tokenVariable = "SUBGUARD_TOKEN"

    @Option(help: "The server's address.")
    var server = "http://127.0.0.1:8080"

    @Option(
        help: ArgumentHelp(
            "Token with the permission metrics.read, for the dashboard.",
            discussion: "Better given as \(Self.tokenVariable): other users of this machine can read arguments."))
    var token: String?

    @Option(help: "How many devices, 1 to 1000000.")
    var devices = 4000

    @Option(help: "Over how many weeks, up to now, they sign up: 1 to \(HistoryPlan.weeks.upperBound).")
    var weeks = 14

    @Option(help: "Another seed makes other devices.")
    var seed: UInt64 = 7

    func validate() throws {
        guard HistoryPlan.devices.contains(devices) else { throw ValidationError("--devices must be 1 to 1000000") }
        guard HistoryPlan.weeks.contains(weeks) else {
            throw ValidationError("--weeks must be 1 to \(HistoryPlan.weeks.upperBound): older events are refused")
        }
        _ = try address()
        _ = try credential()
    }

    /// The address without a slash at its end.
    func address() throws -> URL {
        let trimmed = server.hasSuffix("/") ? String(server.dropLast()) : server
        guard let url = URL(string: trimmed), let scheme = url.scheme, ["http", "https"].contains(scheme.lowercased()),
            url.host?.isEmpty == false, url.user == nil, url.query == nil, url.fragment == nil
        else {
            throw ValidationError("--server must be an address such as http://127.0.0.1:8080")
        }
        return url
    }

    /// The flag wins over the variable.
    func credential() throws -> String {
        let token = token ?? ProcessInfo.processInfo.environment[Self.tokenVariable] ?? ""
        guard !token.isEmpty else {
            throw ValidationError(
                "a token is missing: `subguardd token create --role analyst --name demo` makes one; "
                    + "give it as \(Self.tokenVariable)")
        }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("the token holds characters that no token has")
        }
        return token
    }
}
