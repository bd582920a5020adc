import Dispatch
package import Foundation
import HTTPServer
import HTTPTypes
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import Synchronization
package import Telemetry

/// Admin routes of symbols.
package struct SymbolRoutes: Sendable {
    let gate: AdminGate
    package let store: SymbolStore

    private let slots = UploadSlots()

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
            gate.binding(.deleteSymbols, .empty, remove),
        ]
    }

    package func remove(_ call: AdminCall) throws {
        try store.remove(try Self.debugID(call.request), by: call.actor)
    }

    private func sieve(_ request: Request, _ actor: Actor) throws -> SymbolSieve {
        let query = try SymbolQuery(query: request)
        let choice = SymbolUpload.Choice(debugID: try Self.debugID(request), name: query.name, base: query.base)
        return try SymbolSieve(
            request, limits: gate.limits, SymbolUpload(store, choice, by: actor),
            maximumBytes: Int(store.limits.fileBytes), slot: try slots.take(for: actor.tokenID))
    }

    private static func debugID(_ request: Request) throws -> String {
        guard let id = DebugID.normalised(try request.parameters.text()) else {
            throw HTTPFailure.invalid(
                "debug_id", .invalidFormat, "Must be 32 hexadecimal digits, with or without hyphens.")
        }
        return id
    }
}

/// Bounds the uploads at a time: each holds some 20 MB for as long as its client sends.
package final class UploadSlots: Sendable {
    /// Of all tokens together, and of one of them.
    private static let (most, mostOfOne) = (4, 2)

    private let taken = Mutex<[UUID?: Int]>([:])

    /// Taken until it is released.
    package final class Slot: Sendable {
        private let slots: UploadSlots
        private let token: UUID?

        fileprivate init(_ slots: UploadSlots, _ token: UUID?) {
            self.slots = slots
            self.token = token
        }

        deinit { slots.taken.withLock { $0[token] = $0[token].flatMap { $0 > 1 ? $0 - 1 : nil } } }
    }

    package init() {}

    /// Throws 503 where none is free.
    package func take(for token: UUID?) throws -> Slot {
        let isFree = taken.withLock { taken in
            guard taken.values.reduce(0, +) < Self.most, taken[token, default: 0] < Self.mostOfOne else {
                return false
            }
            taken[token, default: 0] += 1
            return true
        }
        guard isFree else { throw HTTPFailure.overloaded(retryAfterSeconds: 10) }
        return Slot(self, token)
    }
}

/// Reads and stores a list of symbols while it arrives, so that it takes little memory however long it is.
private final class SymbolSieve: BodySieve {
    /// An upload that takes longer is refused.
    private static let longest = Duration.seconds(900)

    private struct State {
        var decoder: BodyDecoder
        var upload: SymbolUpload
    }

    private let state: Mutex<State>
    private let slot: UploadSlots.Slot
    private let end = ContinuousClock.now + longest

    init(
        _ request: Request, limits: ClientLimits, _ upload: SymbolUpload, maximumBytes: Int, slot: UploadSlots.Slot
    ) throws(HTTPFailure) {
        self.slot = slot
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
        guard ContinuousClock.now < end else {
            throw HTTPFailure.invalid("#", .invalidFormat, "An upload must end within 15 minutes.")
        }
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
