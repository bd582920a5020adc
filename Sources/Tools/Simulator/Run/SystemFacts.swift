import Foundation
import Glibc

/// Resources used so far by a server on this machine.
struct ServerUsage: Sendable, Equatable {
    /// User and system time of all its threads.
    var processorSeconds: Double?
    /// Size of the SQLite file and its write-ahead log.
    var storeBytes: Int?
    /// The CPU time over the time of the run.
    var cores: Double?

    /// Throws if a requested value cannot be read.
    static func read(process: Int32?, store: String?) throws(LoadError) -> ServerUsage {
        var usage = ServerUsage()
        if let process {
            let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            usage.processorSeconds = text.flatMap(processorSeconds)
            guard usage.processorSeconds != nil else {
                throw LoadError("--server-pid: there is no process \(process) on this machine")
            }
        }
        if let store {
            guard let bytes = size(store) else { throw LoadError("--server-store: \(store) cannot be read") }
            usage.storeBytes = bytes + (size(store + "-wal") ?? 0)
        }
        return usage
    }

    /// Fields 14 and 15 of proc_pid_stat(5). The program's name before them may contain any character.
    static func processorSeconds(stat text: String) -> Double? {
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        return Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    /// The usage since an earlier reading of the same values, so many seconds ago.
    func since(_ before: ServerUsage, seconds: Double) -> ServerUsage {
        var usage = self
        usage.processorSeconds? -= before.processorSeconds ?? 0
        usage.storeBytes? -= before.storeBytes ?? 0
        usage.cores = usage.processorSeconds.map { $0 / seconds }
        return usage
    }
}

/// The system's limits on open connections.
enum DescriptorLimit {
    /// Reserve for standard streams, epoll and libraries.
    private static let spare = 64

    /// Raises the limit of open files for this number of connections, or throws the reason why that is impossible.
    static func allow(connections: Int, servers: Int) throws(LoadError) {
        let range = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let bounds = (range ?? "").split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        if bounds.count == 2, connections > (bounds[1] - bounds[0] + 1) * servers {
            throw LoadError(
                "--devices: \(connections) connections need as many local ports for each server, and "
                    + "net.ipv4.ip_local_port_range has \(bounds[1] - bounds[0] + 1)")
        }
        let needed = rlim_t(connections + spare)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // The superuser may also raise the hard limit.
        var wanted = rlimit(rlim_cur: needed, rlim_max: max(limit.rlim_max, needed))
        guard limit.rlim_cur < needed, setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted) != 0 else {
            return
        }
        throw LoadError(
            "--devices: \(connections) connections need \(needed) open files, and this process may have "
                + "\(limit.rlim_max): `ulimit -Hn \(needed)` as root, or LimitNOFILE")
    }
}
