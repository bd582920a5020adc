import Foundation
import Glibc

/// What the system allows one process to have open at once.
enum DescriptorLimit {
    /// For standard streams, epoll, and what the libraries open.
    private static let spare = 64

    /// Makes room for so many connections to one address, or says what stands in the way.
    static func allow(connections: Int) throws(LoadError) {
        if let ports = localPorts(), connections > ports {
            throw .tooManyDevices(
                "\(connections) connections to one port need as many local ports, and net.ipv4.ip_local_port_range has "
                    + "\(ports)")
        }
        let needed = rlim_t(connections + spare)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw .system(call: "getrlimit", errno: errno)
        }
        guard limit.rlim_cur < needed else { return }
        // The superuser may raise the hard limit, too.
        var wanted = rlimit(rlim_cur: needed, rlim_max: max(limit.rlim_max, needed))
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted) == 0 else {
            throw .tooManyDevices(
                "\(connections) connections need \(needed) open files, and this process may have \(limit.rlim_max): "
                    + "`ulimit -Hn \(needed)` as root, or LimitNOFILE")
        }
    }

    /// Nil where the kernel does not say.
    private static func localPorts() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8) else {
            return nil
        }
        let bounds = text.split { $0 == "\t" || $0 == " " || $0 == "\n" }.compactMap { Int($0) }
        return bounds.count == 2 ? bounds[1] - bounds[0] + 1 : nil
    }
}
