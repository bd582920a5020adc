import CDemangle
import Foundation
import Synchronization

/// Demangles names in a process of its own, with little memory and time.
///
/// Lists of symbols name what others have compiled, and the libraries that demangle stop the process for some names, or
/// make gigabytes of a hundred bytes. The process starts with the first name and ends with this one. Safe to use from
/// several threads.
package final class Demangler: Sendable {
    package static let shared = Demangler()

    /// Waits for the other process so long at most, in seconds: a busy machine may take long to start it.
    private static let longestWait = 10
    /// After a failure nothing is demangled for a while, twice as long after each, up to this many seconds.
    private static let longestPause = 60.0

    private struct State {
        var process: pid_t?
        var socket: Int32 = -1
        var pause = 0.0
        var pausedUntil = ContinuousClock.now
    }

    private let program: String
    private let firstPause: Double
    private let state = Mutex(State())

    /// - Parameters:
    ///   - program: one whose first argument `demangle` runs ``DemanglingProcess``.
    ///   - firstPause: in seconds.
    package init(program: String = ownProgram, firstPause: Double = 1) {
        self.program = program
        self.firstPause = firstPause
    }

    deinit { state.withLock { Self.end(&$0) } }

    /// This program, or the one that was built beside the bundle whose tests run.
    package static let ownProgram: String = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        return bundle.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path + "/subguardd" }
            ?? "/proc/self/exe"
    }()

    /// Nil for what is no mangled name, for one that takes too much, and for a while after such a one.
    package func demangled(_ name: String) -> String? {
        guard !name.utf8.contains(where: { $0 < 0x20 }) else { return nil }
        return state.withLock { state in
            guard ContinuousClock.now >= state.pausedUntil else { return nil }
            guard let answer = ask(name, &state) else {
                Self.end(&state)
                state.pause = min(max(firstPause, state.pause * 2), Self.longestPause)
                state.pausedUntil = .now + .seconds(state.pause)
                return nil
            }
            state.pause = 0
            return answer.isEmpty ? nil : answer
        }
    }

    /// Nil when the other process has ended, or does not answer.
    private func ask(_ name: String, _ state: inout State) -> String? {
        guard state.process != nil || start(&state), send(Array((name + "\n").utf8), state.socket) else { return nil }
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while answer.last != 0x0A {
            let count = recv(state.socket, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0, answer.count <= DemanglingProcess.longestAnswer else { return nil }
            answer += piece[..<count]
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }

    private func send(_ bytes: [UInt8], _ socket: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func start(_ state: inout State) -> Bool {
        var sockets: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0 else {
            return false
        }
        defer { close(sockets[1]) }
        var limit = timeval(tv_sec: Self.longestWait, tv_usec: 0)
        setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, sockets[1], 0)
        posix_spawn_file_actions_adddup2(&actions, sockets[1], 1)
        var process = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup("demangle"), nil]
        // Nothing of this one's: the other process needs no secret, and a crash of it is none of ours.
        let environment: [UnsafeMutablePointer<CChar>?] = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
        defer { for word in words + environment { free(word) } }
        guard posix_spawn(&process, program, &actions, nil, words, environment) == 0 else {
            close(sockets[0])
            return false
        }
        (state.process, state.socket) = (process, sockets[0])
        return true
    }

    private static func end(_ state: inout State) {
        guard let process = state.process else { return }
        close(state.socket)
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        (state.process, state.socket) = (nil, -1)
    }
}

/// The other side of ``Demangler``: takes names from standard input, a line each, and writes a line for each, empty for
/// what is no mangled name.
package enum DemanglingProcess {
    /// Bytes.
    static let longestAnswer = 16_384
    /// Of data and heap, in bytes: ten times what the longest names of compilers take.
    private static let memory: rlim_t = 128 << 20
    /// Processor time for a name, in microseconds.
    private static let microseconds = 500_000

    /// Returns at the end of standard input.
    package static func run() {
        // A command of root acts as the service user but could become root again; an attacker in this process must not.
        let (user, group) = (geteuid(), getegid())
        guard setregid(group, group) == 0, setreuid(user, user) == 0 else { return }
        // Whatever the server has left open.
        for descriptor in Int32(3)..<1024 { close(descriptor) }
        var data = rlimit(rlim_cur: memory, rlim_max: memory)
        // Where the system refuses limits, as systemd's filter of calls does, the timer alone bounds it.
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_DATA.rawValue)), &data)
        var core = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &core)
        while let name = readLine() {
            setTimer(microseconds)
            let text = demangled(name).map { Array($0.utf8.prefix(longestAnswer - 1)) } ?? []
            setTimer(0)
            let line = text.map { $0 < 0x20 ? UInt8(ascii: " ") : $0 } + [0x0A]
            var rest = line[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }

    /// Ends the process after so much processor time; 0 does not.
    private static func setTimer(_ microseconds: Int) {
        var timer = itimerval()
        timer.it_value = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        setitimer(__itimer_which_t(UInt32(ITIMER_PROF.rawValue)), &timer, nil)
    }

    private static func demangled(_ name: String) -> String? {
        if !name.hasPrefix("_Z") { return read(swift_demangle(name, name.utf8.count, nil, nil, 0)) }
        var status: CInt = 0
        let text = read(__cxa_demangle(name, nil, nil, &status))
        return status == 0 ? text : nil
    }

    private static func read(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { free(text) }
        // Not all of a text of a hundred megabytes.
        return String(decoding: UnsafeRawBufferPointer(start: text, count: strnlen(text, longestAnswer)), as: UTF8.self)
    }
}

/// Names of functions as people write them.
package enum SymbolName {
    /// Longer mangled names stay as they are.
    private static let longestMangled = 1024
    private static let longestReadable = 1000

    /// A mangled name of Swift or C++ in readable form; any other as it is. At most 1,000 characters.
    ///
    /// - Parameters:
    ///   - hasUnderscore: whether it has the underscore that Mach-O puts before the names of all languages.
    ///   - demangler: default: one for the whole process.
    package static func readable(
        _ name: String, hasUnderscore: Bool, by demangler: Demangler = .shared
    ) -> String {
        let bare = hasUnderscore && name.hasPrefix("_") ? String(name.dropFirst()) : name
        let isMangled = ["$s", "$S", "_$s", "_$S", "_Z"].contains { bare.hasPrefix($0) }
        let full = isMangled && bare.utf8.count <= longestMangled ? demangler.demangled(bare) ?? bare : bare
        return String(full.unicodeScalars.prefix(longestReadable).map { $0.value < 0x20 ? " " : Character($0) })
    }
}
