import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

extension Session {
    /// The server that was named, or nil when none was: no server is asked unless somebody says which.
    func server(retries: RetryPolicy = Session.retries, timeout: Duration = .seconds(20)) throws -> ServerConnection? {
        guard let serverText else { return nil }
        let address: ServerAddress
        do {
            address = try ServerAddress(serverText)
        } catch {
            throw DeviceStoreError.invalid(
                Fault("--server", .invalidURL, text(error.detail, error.french)))
        }
        return ServerConnection(
            address, transport: URLSessionTransport(), version: SubGuard.version, retries: retries, timeout: timeout,
            patience: .seconds(30))
    }

    func requireServer() throws -> ServerConnection {
        guard let server = try server() else {
            throw DeviceStoreError.invalid(
                Fault("--server", .required, "Must name the server, or SUBGUARD_SERVER must."))
        }
        return server
    }

    /// Fewer and sooner than those of an app in the background: somebody waits.
    static var retries: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 3
        policy.firstPause = .milliseconds(200)
        policy.longestRequestedPause = .seconds(10)
        return policy
    }

    func account(_ server: ServerConnection) -> AccountSession {
        AccountSession(server: server, credentials: credentials, lockPath: store.path + ".session-lock")
    }

    /// A file beside the store.
    var credentials: CredentialFile { CredentialFile(path: store.path + ".session") }

    func synchroniser(_ server: ServerConnection) -> Synchroniser {
        #if os(Linux)
            let platform = "linux"
        #else
            let platform = "macos"
        #endif
        return Synchroniser(
            store: store, server: server, account: account(server),
            device: DeviceProperties(appVersion: SubGuard.version, platform: platform), signer: signer)
    }

    /// The item of a slug or an id in the device's copy of the catalogue.
    func catalogueItem(_ key: String, field: String) throws -> CatalogueItem {
        guard let item = try store.catalogue.item(key) else {
            throw DeviceStoreError.invalid(
                Fault(
                    field, .notFound,
                    text(
                        "The catalogue on this device has no such item.", "le catalogue de cet appareil ne l'a pas")))
        }
        return item
    }
}

extension ServerAddress.Invalid {
    fileprivate var french: String {
        switch reason {
        case .noAddress: "doit être l'adresse d'un serveur, telle que https://subguard.example"
        case .moreThanAddress: "ne doit avoir ni nom d'utilisateur, ni requête, ni fragment"
        case .literalIPv6: "doit nommer l'hôte ou donner une adresse IPv4"
        case .otherScheme: "doit commencer par https://"
        case .plainElsewhere: "doit commencer par https:// ; http n'est que pour un serveur de cette machine"
        case .port: "doit avoir un port de 1 à 65535"
        }
    }
}
