import Foundation
import Synchronization
import TestKit

/// A process of ours. Its output goes to files, so that nothing it writes can block it, and it dies with this value.
final class ChildProcess: Sendable {
    enum Ending: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    struct StillRunning: Error {}
    struct NotStarted: Error { let errno: Int32 }

    let id: pid_t
    private let outputPath: String
    private let errorPath: String
    /// Set once the process has been waited for; after that its id may be another's.
    private let ending = Mutex<Ending?>(nil)

    /// Starts the program in `folder`, with nothing but these variables and none of our open files.
    init(_ program: Program, _ arguments: [String], environment: [String: String], in folder: TemporaryFolder) throws {
        let name = "\(program.rawValue)-\(UUID().uuidString)"
        outputPath = folder.file("\(name).out")
        errorPath = folder.file("\(name).err")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, path) in [(Int32(1), outputPath), (2, errorPath)] {
            posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // An inherited socket of a client would keep its connection open.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        posix_spawn_file_actions_addchdir_np(&actions, folder.path)
        let path = try program.path()
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var id: pid_t = 0
        let status = posix_spawn(&id, path, &actions, nil, &argv, &envp)
        guard status == 0 else { throw NotStarted(errno: status) }
        self.id = id
    }

    deinit {
        guard ending.withLock({ $0 }) == nil else { return }
        Foundation.kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }

    /// Nothing happens when the process has ended.
    func send(signal number: Int32) {
        ending.withLock { ending in
            if Self.look(id, &ending) == nil { Foundation.kill(id, number) }
        }
    }

    var hasEnded: Bool { ending.withLock { Self.look(id, &$0) != nil } }

    /// Waits for the end; throws ``StillRunning`` when it does not come in time.
    func ending(withinSeconds seconds: Double = 30) async throws -> Ending {
        let isOver = try await holds(withinSeconds: seconds) { hasEnded }
        guard isOver, let ending = ending.withLock({ $0 }) else { throw StillRunning() }
        return ending
    }

    var output: String { Self.text(outputPath) }
    var errors: String { Self.text(errorPath) }

    /// What the process list shows of it, arguments joined by blanks.
    var commandLine: String { Self.text("/proc/\(id)/cmdline").replacing("\0", with: " ") }

    private static func look(_ id: pid_t, _ ending: inout Ending?) -> Ending? {
        var status: Int32 = 0
        if ending == nil, waitpid(id, &status, WNOHANG) == id {
            ending = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
        }
        return ending
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

/// Asks until the condition holds, without keeping a thread from other tests; `false` when it does not in time.
func holds(withinSeconds seconds: Double = 10, _ condition: () throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        try await Task.sleep(for: .milliseconds(3))
    }
    return true
}
