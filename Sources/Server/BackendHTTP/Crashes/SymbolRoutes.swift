import Backend
import Dispatch
import HTTPServer
import HTTPTypes
import ServerContract
import SubGuardContract
import SubGuardDomain
import Synchronization

/// Admin routes of symbols.
struct SymbolRoutes: Sendable {
    let gate: AdminGate
    let store: SymbolStore

    /// As sent.
    private static let maximumBodyBytes = 128 << 20

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.symbolFiles) { request, _ in
                try WholeList(items: try store.list()).document().response(for: request)
            },
            gate.binding(
                .putSymbols, maximumBodyBytes: Self.maximumBodyBytes,
                sieve: { request, actor in try sieve(request, actor) }
            ) { request, actor in
                let sieve = try request.sieved?.sieve as? SymbolSieve ?? sieve(request, actor)
                return SymbolUploadAnswer(try sieve.finish(request.body)).response(.ok)
            },
            gate.binding(.deleteSymbols) { request, actor in
                try store.remove(try Self.debugID(request), by: actor)
                return .empty(.noContent)
            },
        ]
    }

    private func sieve(_ request: Request, _ actor: Actor) throws -> SymbolSieve {
        let query = try SymbolQuery(query: request)
        let choice = SymbolUpload.Choice(debugID: try Self.debugID(request), name: query.name, base: query.base)
        return try SymbolSieve(
            request, limits: gate.limits, SymbolUpload(store, choice, by: actor),
            maximumBytes: Int(store.limits.fileBytes))
    }

    private static func debugID(_ request: Request) throws -> String {
        guard let id = DebugID.normalised(try request.parameters.text()) else {
            throw HTTPFailure.invalid(
                "debug_id", .invalidFormat, "Must be 32 hexadecimal digits, with or without hyphens.")
        }
        return id
    }
}

/// Reads and stores a list of symbols while it arrives, so that it takes little memory however long it is.
private final class SymbolSieve: BodySieve {
    private struct State {
        var decoder: BodyDecoder
        var upload: SymbolUpload
    }

    private let state: Mutex<State>

    init(
        _ request: Request, limits: ClientLimits, _ upload: SymbolUpload, maximumBytes: Int
    ) throws(HTTPFailure) {
        let decoder = try BodyDecoder(request, limits: limits, maximumBytes: maximumBytes)
        state = Mutex(State(decoder: decoder, upload: upload))
    }

    deinit {
        // The client may have gone in the middle. Not here: this thread may be an event loop's.
        let upload = state.withLock { $0.upload }
        DispatchQueue.global().async {
            var upload = upload
            upload.abandon()
        }
    }

    /// Nothing of the body is kept.
    func take(_ piece: [UInt8]) throws -> [UInt8] {
        try state.withLock { state in try Self.take(piece, isLast: false, &state) }
        return []
    }

    func finish(_ last: [UInt8]) throws -> SymbolUpload.Outcome {
        try state.withLock { state in
            try Self.take(last, isLast: true, &state)
            return try Self.orAbandon(&state.upload) { try $0.finish() }
        }
    }

    private static func take(_ piece: [UInt8], isLast: Bool, _ state: inout State) throws {
        var upload = state.upload
        defer { state.upload = upload }
        try orAbandon(&upload) { upload in
            try state.decoder.take(piece, isLast: isLast) { try upload.take($0) }
        }
    }

    private static func orAbandon<Result>(
        _ upload: inout SymbolUpload, _ body: (inout SymbolUpload) throws -> Result
    ) throws -> Result {
        do {
            return try body(&upload)
        } catch {
            upload.abandon()
            throw error
        }
    }
}
