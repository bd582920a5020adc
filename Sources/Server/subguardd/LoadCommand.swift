import ArgumentParser
import Foundation

/// Runs `subguard-load` in place of this process, so that the server's program does not contain the load tester.
struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Run subguard-load, which sends traffic to a server and measures its responses.",
        discussion: "All arguments go to subguard-load; `subguard-load --help` lists them.")

    private static let program = "subguard-load"

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

    /// Looks beside this program first, then on PATH. Returns only if the program cannot be started.
    func run() throws {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = folder.appendingPathComponent(Self.program).path
        var words = ([Self.program] + arguments).map { strdup($0) } + [nil]
        execv(beside, &words)
        execvp(Self.program, &words)
        let reason = String(cString: strerror(errno))
        printError(
            "\(Self.program), the load tester, is a program of its own, and it is neither \(beside) nor on PATH "
                + "(\(reason)). `Scripts/build \(Self.program)` builds it.")
        throw ExitCode.failure
    }
}
