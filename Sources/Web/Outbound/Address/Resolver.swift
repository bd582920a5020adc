import Glibc

/// Turns a host into addresses, once for each transfer.
enum Resolver {
    /// Never empty. Blocks for as long as the system's resolver takes.
    static func addresses(of host: String) throws(OutboundError) -> [IPAddress] {
        if let literal = IPAddress(host) { return [literal] }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { throw .cannotResolve }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next {
            if let address = entry.pointee.ai_addr.flatMap({ IPAddress(UnsafePointer($0)) }),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        guard !addresses.isEmpty else { throw .cannotResolve }
        return addresses
    }
}
