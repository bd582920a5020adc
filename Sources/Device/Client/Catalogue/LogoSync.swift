import SubGuardContract
import SubGuardDomain
import SubGuardEngine

/// Downloads the logos of the catalogue, in its order: the same ones on every device, so that the requests reveal
/// nothing about subscriptions. A logo is named by the hash of its content, so none is downloaded twice.
struct LogoSync {
    let store: DeviceStore
    let server: ServerConnection
    let cache: LogoCache

    /// Logos of later items are not downloaded.
    private static let maximumCount = 2000
    /// Size of all logos together; the download of the last ones may exceed it.
    private static let maximumBytes = 20_000_000
    private static let parallelDownloads = 4

    struct Outcome {
        /// Logos of the catalogue within the limits, whether here or not.
        var all = 0
        var fetched = 0
        /// Logos that the server does not have, or whose content is no image or another one.
        var skipped = 0
    }

    /// Deletes logos that the catalogue does not have any more, and downloads those that are missing. Does nothing
    /// while the catalogue is that of another server. Throws an error that would concern the next logo too.
    func run() async throws -> Outcome {
        guard let copy = try store.catalogue.copy(), copy.server == server.address.text else { return Outcome() }
        let logos = try store.catalogue.logos().filter { LogoCache.name($0) != nil }
        cache.keep(only: logos)
        var outcome = Outcome()
        var bytes = 0
        var missing: [String] = []
        for logo in logos.prefix(Self.maximumCount) {
            if let size = cache.byteCount(logo) {
                bytes += size
                outcome.all += 1
            } else {
                missing.append(logo)
            }
        }
        while !missing.isEmpty, bytes < Self.maximumBytes {
            let batch = missing.prefix(Self.parallelDownloads)
            missing.removeFirst(batch.count)
            for result in await download(Array(batch)) {
                outcome.all += 1
                switch result {
                case .success(let size):
                    bytes += size
                    outcome.fetched += 1
                case .failure(let error):
                    guard error.concernsOneLogo else { throw error }
                    outcome.skipped += 1
                }
            }
        }
        return outcome
    }

    private func download(_ logos: [String]) async -> [Result<Int, ClientError>] {
        await withTaskGroup(of: Result<Int, ClientError>.self) { group in
            for logo in logos {
                group.addTask {
                    do throws(ClientError) {
                        return .success(try await cache.download(logo, from: server))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension ClientError {
    /// Whether the next logo may be well.
    fileprivate var concernsOneLogo: Bool {
        switch self {
        case .refused(let status, _, _): status == 404 || status == 410
        case .unreadable, .answerTooLarge: true
        default: false
        }
    }
}
