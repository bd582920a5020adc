import Foundation
package import SubGuardClient
import SubGuardDomain
import SubGuardEngine

extension Session {
    /// The server given by `--server` or `SUBGUARD_SERVER`; nil without one. No server is ever contacted by default.
    package func server(retries: RetryPolicy = Session.retries, timeout: Duration = .seconds(20)) throws
        -> ServerConnection?
    {
        guard let serverText else { return nil }
        let address: ServerAddress
        do {
            address = try ServerAddress(serverText)
        } catch {
            throw Fault("--server", .invalidURL, Sentence(pattern: error.detail))
        }
        #if os(Linux)
            let transport = CurlTransport()
        #else
            let transport = URLSessionTransport()
        #endif
        return ServerConnection(
            address, transport: transport, version: SubGuard.version, retries: retries, timeout: timeout,
            callTimeout: .seconds(30))
    }

    func requireServer() throws -> ServerConnection {
        guard let server = try server() else {
            throw Fault("--server", .required, "Is required, or set SUBGUARD_SERVER.")
        }
        return server
    }

    /// Fewer and faster retries than in an app, because the user is waiting.
    package static var retries: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 3
        policy.firstPause = .milliseconds(200)
        policy.longestRequestedPause = .seconds(10)
        return policy
    }

    package func account(_ server: ServerConnection) -> AccountSession {
        AccountSession(server: server, credentials: credentials, lockPath: store.path + ".session-lock")
    }

    /// The credentials file beside the database.
    var credentials: CredentialFile { CredentialFile(path: store.path + ".session") }

    /// What is sent with each event.
    package var device: DeviceProperties {
        #if os(Linux)
            let platform = "linux"
        #else
            let platform = "macos"
        #endif
        return DeviceProperties(appVersion: SubGuard.version, platform: platform)
    }

    package func synchroniser(_ server: ServerConnection) -> Synchroniser {
        Synchroniser(
            store: store, server: server, account: account(server), device: device, signer: signer,
            logos: LogoCache(beside: store))
    }

    /// Finds an item by slug or id in the local copy of the catalogue. Throws an error that names `field` when there is
    /// none.
    func catalogueItem(_ key: String, field: String) throws -> CatalogueItem {
        guard let item = try store.catalogue.item(key) else {
            throw Fault(field, .notFound, "Not in the local catalogue. Run `subguard search` first.")
        }
        return item
    }
}
