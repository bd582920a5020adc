import Glibc

/// How many files and sockets this process may have open. Systems start programs with a small number and let them ask
/// for more.
package enum DescriptorLimit {
    /// Asks for as many as the system allows, and returns how many those are.
    package static func raise() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}

extension ConnectionLimits {
    /// What a server needs beside its connections: store, log, event loops, and some to spare.
    private static let reservedDescriptors = 64

    /// Allows no more connections than there are descriptors for. Returns whether there were enough.
    package mutating func fit(descriptors: Int) -> Bool {
        let room = max(1, descriptors - Self.reservedDescriptors)
        guard inAll > room else { return true }
        inAll = room
        return false
    }
}
