import Backend
import HTTPServer
import Synchronization
import ZlibCoding

/// Decodes an envelope and drops what ``EnvelopeFilter`` drops, while it arrives: a screenshot beside a crash report
/// takes no memory, and costs the report nothing.
final class EnvelopeSieve: BodySieve {
    private struct State {
        let stream: (any DecompressingStream)?
        var filter = EnvelopeFilter()
        var receivedCount = 0
        var decodedCount = 0
        var keptCount = 0
        /// Whether the head or the first line contains the key.
        var isAdmitted: Bool
    }

    private let coding: BodyCoding?
    private let allowance: InflationAllowance
    private let checkHeader: @Sendable ([UInt8]) throws -> Void
    private let state: Mutex<State>

    /// Maximum bytes of a whole envelope, decoded.
    static let maximumBytes = 20 << 20
    /// Maximum bytes that are kept of it.
    static let maximumKeptBytes = 8 << 20

    /// - Parameter checkHeader: receives the first line, without its line feed, before anything that follows it is
    ///   decoded; nil if the head has the key. It throws to reject the envelope.
    /// Throws 415 for a coding that is not supported.
    init(
        _ request: Request, limits: ClientLimits, checkHeader: (@Sendable ([UInt8]) throws -> Void)?
    ) throws(HTTPFailure) {
        coding = try ContentCoding.coding(of: request)
        allowance = InflationAllowance(limits: limits, request: request)
        self.checkHeader = checkHeader ?? { _ in }
        state = Mutex(State(stream: coding?.stream(), isAdmitted: checkHeader == nil))
    }

    func take(_ piece: [UInt8]) throws -> [UInt8] { try take(piece, isLast: false) }

    /// The whole that is kept, with the last piece.
    func finish(_ sieved: SievedBody?, _ last: [UInt8]) throws -> [UInt8] {
        let rest = try take(last, isLast: true)
        return (sieved?.kept ?? []) + rest
    }

    private func take(_ piece: [UInt8], isLast: Bool) throws -> [UInt8] {
        if coding != nil { try allowance.begin() }
        return try state.withLock { state in
            let before = state.decodedCount
            defer { if coding != nil { allowance.charge(state.decodedCount - before) } }
            var kept: [UInt8] = []
            state.receivedCount += piece.count
            if let coding, let stream = state.stream {
                try inflate(piece, coding, stream, &state, into: &kept)
                if isLast, !stream.isEnded { throw ContentCoding.notCoded(as: coding) }
            } else {
                try pass(piece[...], &state, into: &kept)
            }
            if isLast {
                state.filter.end(into: &kept)
                try admit(&state)
            }
            return kept
        }
    }

    private func inflate(
        _ piece: [UInt8], _ coding: BodyCoding, _ stream: any DecompressingStream, _ state: inout State,
        into kept: inout [UInt8]
    ) throws {
        do {
            // Before the key is known, little more than the first line is decoded.
            try stream.inflate(piece, room: state.isAdmitted ? 65_536 : 4096) { part in
                try pass(part, &state, into: &kept)
                guard state.decodedCount <= ContentCoding.proportionalBytes(ofReceived: state.receivedCount) else {
                    throw ContentCoding.disproportionate
                }
            }
        } catch let error as Inflater.Failure {
            throw ContentCoding.failure(error, coding, maximumBytes: Self.maximumBytes)
        }
    }

    private func pass(_ part: ArraySlice<UInt8>, _ state: inout State, into kept: inout [UInt8]) throws {
        state.decodedCount += part.count
        let before = kept.count
        state.filter.take(part, into: &kept)
        state.keptCount += kept.count - before
        guard state.decodedCount <= Self.maximumBytes else {
            throw HTTPFailure.bodyTooLarge(limitBytes: Self.maximumBytes)
        }
        guard state.keptCount <= Self.maximumKeptBytes else {
            throw HTTPFailure.bodyTooLarge(limitBytes: Self.maximumKeptBytes)
        }
        if state.filter.header != nil { try admit(&state) }
    }

    private func admit(_ state: inout State) throws {
        guard !state.isAdmitted else { return }
        try checkHeader(state.filter.header ?? [])
        state.isAdmitted = true
    }
}
