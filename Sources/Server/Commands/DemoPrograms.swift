import Foundation

/// Runs this program and subguard-load on the database of a demo, without the settings of a real server.
struct DemoPrograms {
    private let environment: [String: String]

    init(database: String, host: String, port: Int) {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SUBGUARD_") }
        environment["SUBGUARD_CONFIG"] = ""
        environment["SUBGUARD_HOST"] = host
        // Requests through a published port do not come from this machine's loopback.
        if host != "127.0.0.1" { environment["SUBGUARD_PUBLIC_URL"] = "http://127.0.0.1:\(port)" }
        environment["SUBGUARD_PORT"] = "\(port)"
        environment["SUBGUARD_DATABASE_URL"] = "sqlite:\(database)"
        environment["SUBGUARD_LOG_LEVEL"] = "warning"
        self.environment = environment
    }

    /// Runs a command to its end; its output is not shown, its errors are.
    func run(_ arguments: [String], program: String? = nil, token: String? = nil) throws {
        _ = try output(arguments, program: program, token: token)
    }

    /// What a command prints, without the line feed at its end.
    func output(_ arguments: [String], program: String? = nil, token: String? = nil) throws -> String {
        let process = process(arguments, program: program, token: token)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw DemoFault("`\(arguments.prefix(2).joined(separator: " "))` failed")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Starts a server, and returns once it listens.
    func start(_ arguments: [String]) throws -> DemoServer { try DemoServer(process(arguments)) }

    /// Opens a page in a browser if there is a desktop with one.
    func open(_ page: String) {
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/xdg-open")
        process.arguments = [page]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // The link is printed, so a desktop without xdg-open loses nothing.
        try? process.run()
    }

    private func process(_ arguments: [String], program: String? = nil, token: String? = nil) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program ?? SiblingProgram.thisProgram.path)
        process.arguments = arguments
        process.environment = environment.merging(token.map { ["SUBGUARD_TOKEN": $0] } ?? [:]) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        return process
    }
}

/// The server of a demo. SIGINT and SIGTERM to this process stop it; this process then ends with the status 0.
final class DemoServer {
    private let process: Process
    private let output = Pipe()
    private var sources: [any DispatchSourceSignal] = []

    /// Waits until it listens: an answer on the port could be that of another program.
    init(_ process: Process) throws {
        self.process = process
        process.standardOutput = output
        try process.run()
        let server = process.processIdentifier
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                kill(server, SIGTERM)
                // It fails at once if Foundation has waited for the server, which has ended then.
                waitpid(server, nil, 0)
                _exit(0)
            }
            source.resume()
            sources.append(source)
        }
        // Nothing before it ends without the line.
        guard !output.fileHandleForReading.availableData.isEmpty else {
            process.waitUntilExit()
            throw DemoFault("the server did not start")
        }
    }

    func wait() { process.waitUntilExit() }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}

/// A program that is installed beside this one, or on PATH.
struct SiblingProgram {
    static let load = SiblingProgram(name: "subguard-load")
    /// The file of this process.
    static let thisProgram = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    static var folder: URL { thisProgram.deletingLastPathComponent() }

    let name: String

    private var beside: String { Self.folder.appendingPathComponent(name).path }

    /// The file beside this program if it is there, else the first one on PATH, else the file that is missing.
    var path: String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let files = [beside] + folders.map { "\($0)/\(name)" }
        return files.first { FileManager.default.isExecutableFile(atPath: $0) } ?? beside
    }

    /// Runs it in place of this process. Returns only if it cannot be started, with the reason.
    func replaceThisProcess(_ arguments: [String]) -> String {
        var words = ([name] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        let reason = String(cString: strerror(errno))
        return
            "\(name), the load tester, is a program of its own, and it is neither \(beside) nor on PATH (\(reason)). "
            + "`Scripts/build \(name)` builds it."
    }
}
