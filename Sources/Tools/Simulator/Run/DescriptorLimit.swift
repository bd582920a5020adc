import Foundation
import Glibc

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
        guard limit.rlim_cur < needed else { return }
        // The superuser may also raise the hard limit.
        var wanted = rlimit(rlim_cur: needed, rlim_max: max(limit.rlim_max, needed))
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted) == 0 else {
            throw LoadError(
                "--devices: \(connections) connections need \(needed) open files, and this process may have "
                    + "\(limit.rlim_max): `ulimit -Hn \(needed)` as root, or LimitNOFILE")
        }
    }
}
