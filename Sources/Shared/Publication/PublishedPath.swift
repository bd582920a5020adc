import Locking

/// The path under which a proxy publishes this process, such as `/subguard`; empty if it has an address of its own.
///
/// One value for the process, because it is in every link and address that the process writes, wherever it is written.
package enum PublishedPath {
    private static let stored = Guarded("")

    package static var prefix: String { stored.withLock { $0 } }

    /// Call it before the first page or answer is made. `prefix` begins with a slash and does not end with one.
    package static func publish(under prefix: String) { stored.withLock { $0 = prefix } }

    /// A path on this server as clients must write it. Anything else is returned as it is.
    package static func of(_ address: String) -> String { address.hasPrefix("/") ? prefix + address : address }
}
