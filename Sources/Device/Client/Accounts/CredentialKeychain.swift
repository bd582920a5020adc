#if canImport(Security)
    import Foundation
    import Security

    /// Credentials in the Keychain: this device only, available after the first unlock.
    public struct CredentialKeychain: CredentialStore {
        private let service: String

        /// - Parameter service: names the entry, such as the app's bundle identifier.
        public init(service: String) { self.service = service }

        private var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: "session",
            ]
        }

        /// The stored credentials; nil without any. Throws ``ClientError/credentials(_:)`` when the Keychain refuses.
        public func load() throws(ClientError) -> Credentials? {
            var found: CFTypeRef?
            let wanted = query.merging([kSecReturnData as String: true]) { $1 }
            let status = SecItemCopyMatching(wanted as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data,
                let credentials = Credentials(stored: Array(data))
            else { throw .credentials(.unusable("the Keychain refused with \(status)")) }
            return credentials
        }

        /// Stores the credentials in the place of others. Throws as ``load()`` does.
        public func save(_ credentials: Credentials) throws(ClientError) {
            let value: [String: Any] = [
                kSecValueData as String: Data(credentials.stored),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(query.merging(value) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw .credentials(.unusable("the Keychain refused with \(status)")) }
        }

        /// Deletes the credentials, if there are any. Throws as ``load()`` does.
        public func remove() throws(ClientError) {
            let status = SecItemDelete(query as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw .credentials(.unusable("the Keychain refused with \(status)"))
            }
        }
    }
#endif
