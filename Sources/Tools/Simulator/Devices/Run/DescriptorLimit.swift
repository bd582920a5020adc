import Foundation
import Glibc

/// The limits of the system on open connections.
enum DescriptorLimit {
    /// Reserve for standard streams, epoll and libraries.
    private static let spare = 64

    /// Raises the limits for this number of connections to one address, or throws the reason why that is impossible.
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
        // The superuser may also raise the hard limit.
        var wanted = rlimit(rlim_cur: needed, rlim_max: max(limit.rlim_max, needed))
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted) == 0 else {
            throw .tooManyDevices(
                "\(connections) connections need \(needed) open files, and this process may have \(limit.rlim_max): "
                    + "`ulimit -Hn \(needed)` as root, or LimitNOFILE")
        }
    }

    /// Nil if the kernel does not provide the range.
    private static func localPorts() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8) else {
            return nil
        }
        let bounds = text.split { $0 == "\t" || $0 == " " || $0 == "\n" }.compactMap { Int($0) }
        return bounds.count == 2 ? bounds[1] - bounds[0] + 1 : nil
    }
}
