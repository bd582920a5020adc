/// Environment variables that Kubernetes and Docker set for a service called `subguard`, which look like settings.
///
/// Sources: "Environment variables" of Kubernetes' Services (`subguard_SERVICE_HOST` and its kin, in upper case), and
/// Docker's legacy links, whose form they have.
enum ServiceVariable {
    static func matches(_ name: String, value: String) -> Bool {
        guard name.hasPrefix("SUBGUARD_") else { return false }
        let parts = name.split(separator: "_", omittingEmptySubsequences: false).dropFirst().map(String.init)
        if parts.last == "PORT", isAddress(value) { return true }
        if parts.suffix(2) == ["SERVICE", "HOST"] { return isHost(value) }
        if zip(parts, parts.dropFirst()).contains(where: { $0 == ("SERVICE", "PORT") }) { return isPort(value) }
        // PORT_8080_TCP, PORT_8080_TCP_ADDR and so on; the service's own name may precede them.
        let index = parts.indices.first { index in
            parts[index] == "PORT" && index + 2 < parts.count && isPort(parts[index + 1])
                && protocols.contains(parts[index + 2].lowercased())
        }
        guard let index else { return false }
        switch parts[(index + 3)...] {
        case []: return isAddress(value)
        case ["PROTO"]: return protocols.contains(value)
        case ["PORT"]: return isPort(value)
        case ["ADDR"]: return isHost(value)
        default: return false
        }
    }

    private static let protocols = ["tcp", "udp", "sctp"]

    /// `tcp://10.96.0.5:8080`
    private static func isAddress(_ text: String) -> Bool {
        guard let colon = text.lastIndex(of: ":"), let slashes = text.firstRange(of: "://"),
            slashes.upperBound <= colon
        else { return false }
        return protocols.contains(String(text[..<slashes.lowerBound]))
            && isHost(String(text[slashes.upperBound..<colon])) && isPort(String(text[text.index(after: colon)...]))
    }

    private static func isPort(_ text: String) -> Bool { UInt16(text).map { $0 > 0 } ?? false }

    /// An address, with or without brackets around IPv6, or a name.
    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isHexDigit || $0.isLetter || ".-:[]".contains($0)) }
    }
}
