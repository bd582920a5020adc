/// Where the server may be sent by what somebody configured.
package struct TargetPolicy: Sendable {
    /// Whether addresses of this machine and of private networks may be reached, too.
    package var allowsOwnNetworks = false
    /// Names and address literals whose addresses are not checked, in lower case.
    package var permittedHosts: Set<String> = []

    package init(allowsOwnNetworks: Bool = false, permittedHosts: Set<String> = []) {
        self.allowsOwnNetworks = allowsOwnNetworks
        self.permittedHosts = Set(permittedHosts.map { $0.lowercased() })
    }

    /// Throws ``OutboundError/notAllowed(_:)`` unless every address may be reached. One bad address among good ones is
    /// enough, because which of them is connected to is not for whoever runs the name to choose.
    func check(_ addresses: [IPAddress], of host: String) throws(OutboundError) {
        guard !permittedHosts.contains(host.lowercased()) else { return }
        for address in addresses {
            switch AddressKind(address) {
            case .global: break
            case .ownNetwork where allowsOwnNetworks: break
            case .ownNetwork: throw .notAllowed("the target lies in a private or loopback range")
            case .special(let name): throw .notAllowed("the target lies in a special range (\(name))")
            }
        }
    }
}
