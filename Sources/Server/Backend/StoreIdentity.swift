import SQLDatabase

/// What tells this store from every other one.
package struct StoreIdentity: Sendable, Hashable {
    /// 8 random bytes, made when the store is first opened and never changed.
    package let epoch: [UInt8]

    /// Reads the identity, and makes it on the first call of all. Two processes that open a new store at the same time
    /// end up with the same one.
    package init(context: BackendContext) throws {
        if let epoch = try context.store.read(Self.readEpoch) {
            self.epoch = epoch
            return
        }
        let candidate = context.makeRandomBytes(8)
        epoch = try context.store.write { transaction in
            try transaction.execute(
                "INSERT INTO store_metadata (key, value) VALUES ('epoch', ?) ON CONFLICT (key) DO NOTHING",
                [.blob(candidate)])
            return try Self.readEpoch(transaction) ?? candidate
        }
    }

    private static func readEpoch(_ session: any SQLSession) throws -> [UInt8]? {
        try session.first("SELECT value FROM store_metadata WHERE key = 'epoch'") { try $0.blob(0) }
    }
}
