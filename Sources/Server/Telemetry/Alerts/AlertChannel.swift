import Cryptography

/// A means of delivery for alerts. The raw value is its name on the wire and in the database.
package enum AlertChannel: String, Sendable, Hashable, CaseIterable {
    case slack
    case email
    case webhook
}

/// A configured receiver of a channel, without secrets.
package struct AlertTarget: Sendable, Hashable {
    package let channel: AlertChannel
    /// Readable scheme and host, without secrets.
    package let label: String
    /// SHA-256 of the whole address. Another address is another receiver.
    let hash: [UInt8]

    /// `address` is everything that identifies the receiver; only its hash is kept.
    package init(channel: AlertChannel, label: String, address: String) {
        self.channel = channel
        self.label = label
        hash = SHA256.hash(of: "\(channel.rawValue)\0\(address)".utf8)
    }
}
