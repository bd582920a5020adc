import ArgumentParser
import HTTPConformance

/// Runs the table against a server that is already listening, and prints a line for each case.
@main
struct PlayTable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http-conformance", abstract: "Play the table of HTTP/1.1 cases to a server.")

    @Argument(help: "An IPv4 address.") var host: String
    @Argument var port: Int
    @Option(help: "Whose choices are expected: ours or nginx.") var server = Server.ours
    @Option(help: "Only cases whose id begins with this.") var only = ""
    @Option(help: "Seconds after which a server counts as silent.") var timeout = 1.5
    @Flag(help: "Send each octet by itself.") var byteByByte = false

    enum Server: String, ExpressibleByArgument { case ours, nginx }

    func run() throws {
        let client = ConformanceClient(host: host, port: port, timeoutSeconds: timeout)
        var tally = Tally(ofOurs: server == .ours)
        for test in ConformanceTable.all where test.id.hasPrefix(only) && !(byteByByte && test.comesWhole) {
            print(tally.line(for: test, client.observe(test, byteByByte: byteByByte)))
        }
        print(tally.summary)
        if tally.unexpected > 0 { throw ExitCode.failure }
    }
}
