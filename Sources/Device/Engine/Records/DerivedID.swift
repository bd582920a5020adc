import Cryptography
package import Foundation
import SubGuardDomain

/// Ids of things that are the same on all devices and in all imports because of what they are.
package enum DerivedID {
    /// A UUID of version 8 (RFC 9562), the version for custom ids, from the SHA-256 of a text.
    package static func of(_ name: String) -> UUID { UUID(version8: SHA256.hash(of: name.utf8)) }
}
