/// Why a server's certificate does not prove who it is. Nothing was sent to it.
public enum CertificateFault: String, Sendable, Hashable, Codable, CaseIterable {
    /// Another authority has signed it, or none that this device knows.
    case unknownAuthority
    /// No authority has signed it at all.
    case selfSigned
    case otherHost
    case expired
    case notYetValid
    case revoked
}

extension CertificateFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownAuthority: "its certificate comes from an authority that this device does not know"
        case .selfSigned: "its certificate is signed by itself alone"
        case .otherHost: "its certificate is for another host"
        case .expired: "its certificate has expired, or this device's clock is wrong"
        case .notYetValid: "its certificate is not valid yet, or this device's clock is wrong"
        case .revoked: "its certificate was revoked"
        }
    }
}
