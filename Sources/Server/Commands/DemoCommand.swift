import ArgumentParser
import BackendHTTP
import FileAccess
import Foundation

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Serve made-up data from a database of its own, until Ctrl-C.",
        discussion: """
            Fourteen weeks of devices, suggestions, crashes of two releases, logos, a threshold that was reached and \
            an alert rule. Prints a link to the console, and opens it where there is a desktop. A later start keeps \
            what is there. Settings of a real server in the environment and in the configuration file are not used.
            """)

    @Option(help: "Folder of the demo.")
    var folder = ".demo"

    @Option(help: "Address to listen on; in a container 0.0.0.0.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on.")
    var port = 8088

    @Option(help: "Number of devices.")
    var devices = 1200

    @Option(help: "Past weeks in which the devices sign up.")
    var weeks = 14

    @Flag(help: "Delete the demo.")
    var remove = false

    @Option(
        help: ArgumentHelp(
            "Send the data to a running server instead, which cannot be undone.",
            discussion: "SUBGUARD_TOKEN is a token of an owner of it.", valueName: "url"))
    var into: String?

    @Option(
        help: ArgumentHelp(
            "Catalogue to import. (default: the one that is installed with the program)", valueName: "file"))
    var catalogue: String?

    func validate() throws {
        guard (1...65535).contains(port) else { throw ValidationError("--port must be 1 to 65535.") }
        guard ["127.0.0.1", "0.0.0.0"].contains(host) else {
            throw ValidationError("--host must be 127.0.0.1, or 0.0.0.0 in a container.")
        }
        guard !remove || into == nil else { throw ValidationError("--remove does not go with --into.") }
    }

    func run() throws {
        do {
            if let into { return try fill(into) }
            let demo = try DemoFolder(folder)
            if remove { return try demo.remove() }
            try serve(demo)
        } catch let fault as DemoFault {
            printError(fault.text)
            throw ExitCode.failure
        } catch let failure as FileFailure {
            printError("\(failure)")
            throw ExitCode.failure
        }
    }

    /// Replaces this process.
    private func fill(_ url: String) throws {
        guard ProcessInfo.processInfo.environment["SUBGUARD_TOKEN"]?.isEmpty == false else {
            throw DemoFault("--into needs SUBGUARD_TOKEN, a token of an owner of \(url)")
        }
        throw DemoFault(SiblingProgram.load.replaceThisProcess(load(url)))
    }

    private func load(_ url: String) -> [String] {
        [
            "--history", "--demo", "--i-own-this-server", "--url", url, "--devices", "\(devices)", "--weeks",
            "\(weeks)",
        ]
    }

    private func serve(_ demo: DemoFolder) throws {
        guard !HealthProbe.isReady(host: "127.0.0.1", port: port, usesTLS: false) else {
            throw DemoFault("port \(port) is taken by another server; choose one with --port")
        }
        let programs = DemoPrograms(database: try demo.prepare(), host: host, port: port)
        try programs.run(["migrate"])
        if !demo.isFilled { try programs.run(["catalogue", "import", try starterCatalogue()]) }
        let server = try programs.start(["serve"])
        defer { server.stop() }
        let url = "http://127.0.0.1:\(port)"
        if !demo.isFilled {
            let token = try programs.output(
                ["token", "create", "--role", "owner", "--name", "demo", "--expires-in-days", "365"])
            try programs.run(load(url), program: SiblingProgram.load.path, token: token)
            try demo.markFilled()
        }
        let link = try programs.output(["console", "link"])
        let text = """

            The demo is at \(url) until you press Ctrl-C. To delete it:

                \(CommandLine.arguments[0]) demo --folder '\(demo.path)' --remove

            This link opens its console once, within 10 minutes:

                \(link)

            """
        // Unbuffered: the parent process may wait for the link.
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
        try demo.writePage(leadingTo: link).map(programs.open)
        server.wait()
    }

    private func starterCatalogue() throws -> String {
        if let catalogue { return catalogue }
        let share = SiblingProgram.folder.deletingLastPathComponent().appendingPathComponent("share").path
        // Of a package, of the image, and of a checkout.
        let files = ["\(share)/subguard", "/usr/share/subguard", "Config"].map { "\($0)/catalogue.csv" }
        guard let file = files.first(where: FileManager.default.fileExists(atPath:)) else {
            throw DemoFault("the catalogue \(files[0]) is missing; name one with --catalogue")
        }
        return file
    }
}

/// Why the demo does not run.
struct DemoFault: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
