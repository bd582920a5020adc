import Crypto

/// A way out for alerts. The raw value is its name on the wire and in the store.
package enum AlertChannel: String, Sendable, Hashable, CaseIterable {
    case slack
    case email
    case webhook
}

/// Where a configured channel leads, as far as the store may know it.
package struct AlertTarget: Sendable, Hashable {
    package let channel: AlertChannel
    /// For people: scheme and host, nothing secret.
    package let label: String
    /// SHA-256 of the whole address, to tell whether it is still the one that a channel was disabled for.
    let hash: [UInt8]

    /// `address` is everything that makes the target another one when it changes; it is hashed and forgotten.
    package init(channel: AlertChannel, label: String, address: String) {
        self.channel = channel
        self.label = label
        hash = Array(SHA256.hash(data: Array("\(channel.rawValue)\0\(address)".utf8)))
    }
}
