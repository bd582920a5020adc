import Foundation
import Glibc

/// The port of the app is in use by something else.
package struct PortTaken: Error, CustomStringConvertible {
    let host: String
    let port: Int
    let holder: PortHolder?

    package var description: String {
        let place = "port \(port) on \(host)"
        switch holder {
        case .process(let id, let name): return "\(place) is in use by \(name), process \(id)"
        case .user(let name): return "\(place) is in use by a program of the user \(name)"
        case nil: return "\(place) is in use by another program"
        }
    }
}

/// Who listens on a port of this machine, read from /proc.
enum PortHolder: Equatable {
    /// A process of this user.
    case process(id: Int, name: String)
    /// A process of another user, by that user's name or number.
    case user(String)

    /// Nil if no process does, or the system does not tell.
    init?(port: Int) {
        let listeners = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap(Self.listeners).filter { $0.port == port }
        for listener in listeners {
            guard let id = Self.process(holding: listener.socket) else { continue }
            let name = Self.content(of: "/proc/\(id)/comm").trimmingCharacters(in: .whitespacesAndNewlines)
            self = .process(id: id, name: name.isEmpty ? "\(id)" : name)
            return
        }
        guard let other = listeners.first else { return nil }
        self = .user(getpwuid(other.user).flatMap { String(cString: $0.pointee.pw_name) } ?? String(other.user))
    }

    /// The ports on which processes of this user with the same program name listen, this process included. Empty where
    /// the system does not tell.
    static func portsOfThisProgram() -> [Int] {
        let name = content(of: "/proc/self/comm")
        let listeners = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap(Self.listeners).filter { $0.user == getuid() }
        guard !name.isEmpty, !listeners.isEmpty else { return [] }
        let sockets = Set(
            processes().filter { content(of: "/proc/\($0)/comm") == name }.flatMap { Self.sockets(of: $0) })
        return Set(listeners.filter { sockets.contains("socket:[\($0.socket)]") }.map(\.port)).sorted()
    }

    private struct Listener {
        let port: Int
        let user: uid_t
        /// The number of its inode.
        let socket: String
    }

    /// The listening sockets of a table (proc_pid_net(5)).
    private static func listeners(_ path: String) -> [Listener] {
        content(of: path).split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[3] == "0A", let port = columns[1].split(separator: ":").last,
                let number = Int(port, radix: 16), let user = uid_t(columns[7])
            else { return nil }
            return Listener(port: number, user: user, socket: String(columns[9]))
        }
    }

    /// The process with a descriptor of the socket, among those whose descriptors this user may see.
    private static func process(holding socket: String) -> Int? {
        processes().sorted().first { sockets(of: $0).contains("socket:[\(socket)]") }
    }

    private static func processes() -> [Int] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int($0) } ?? []
    }

    /// What the descriptors of a process lead to, sockets among them.
    private static func sockets(of id: Int) -> [String] {
        let folder = "/proc/\(id)/fd"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
    }

    private static func content(of path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
