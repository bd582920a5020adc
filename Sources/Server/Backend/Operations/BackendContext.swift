package import Foundation
package import SQLDatabase
package import SubGuardDomain

/// What every store of the backend is given: the database, the clock and the source of randomness.
package struct BackendContext: Sendable {
    package let store: any SQLStore
    package let now: @Sendable () -> UTCInstant
    /// 64 random bits a call. Tokens and ids are made of them: cryptographically secure in production.
    package let random: @Sendable () -> UInt64

    package init(
        store: any SQLStore, now: @escaping @Sendable () -> UTCInstant, random: @escaping @Sendable () -> UInt64
    ) {
        self.store = store
        self.now = now
        self.random = random
    }

    /// A new UUIDv7 at the present time.
    package func makeID() -> UUID {
        UUIDv7.make(millisecondsSinceEpoch: now().millisecondsSinceEpoch, random: (random(), random()))
    }

    /// `count` random bytes.
    @Sendable func makeRandomBytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            withUnsafeBytes(of: random()) { bytes.append(contentsOf: $0) }
        }
        return Array(bytes.prefix(count))
    }
}
