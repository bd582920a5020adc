import HTTPServer
import Synchronization
import Telemetry
import ZlibCoding

/// Decodes an envelope and drops what ``EnvelopeFilter`` drops, while it arrives: a screenshot beside a crash report
/// takes no memory, and costs the report nothing.
final class EnvelopeSieve: BodySieve {
    private struct State {
        var decoder: BodyDecoder
        var filter = EnvelopeFilter()
        var keptCount = 0
        /// Whether the head or the first line contains the key.
        var isAdmitted: Bool
    }

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
        let decoder = try BodyDecoder(request, limits: limits, maximumBytes: Self.maximumBytes)
        self.checkHeader = checkHeader ?? { _ in }
        state = Mutex(State(decoder: decoder, isAdmitted: checkHeader == nil))
    }

    func take(_ piece: [UInt8]) throws -> [UInt8] { try take(piece, isLast: false) }

    /// The whole that is kept, with the last piece.
    func finish(_ sieved: SievedBody?, _ last: [UInt8]) throws -> [UInt8] {
        let rest = try take(last, isLast: true)
        return (sieved?.kept ?? []) + rest
    }

    private func take(_ piece: [UInt8], isLast: Bool) throws -> [UInt8] {
        try state.withLock { state in
            var kept: [UInt8] = []
            var decoder = state.decoder
            defer { state.decoder = decoder }
            // Before the key is known, little more than the first line is decoded.
            try decoder.take(piece, isLast: isLast, room: state.isAdmitted ? 65_536 : 4096) { part in
                try pass(part, &state, into: &kept)
            }
            if isLast {
                state.filter.end(into: &kept)
                try admit(&state)
            }
            return kept
        }
    }

    private func pass(_ part: ArraySlice<UInt8>, _ state: inout State, into kept: inout [UInt8]) throws {
        let before = kept.count
        state.filter.take(part, into: &kept)
        state.keptCount += kept.count - before
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

/// Decodes a body while it arrives, within the limits of all decompression (``ContentCoding``).
struct BodyDecoder {
    private let coding: BodyCoding?
    private let stream: (any DecompressingStream)?
    private let allowance: InflationAllowance
    private let maximumBytes: Int
    private var receivedCount = 0
    private var decodedCount = 0

    /// - Parameter maximumBytes: of the whole, decoded.
    /// Throws 415 for a coding that is not supported.
    init(_ request: Request, limits: ClientLimits, maximumBytes: Int) throws(HTTPFailure) {
        coding = try ContentCoding.coding(of: request)
        stream = coding?.stream()
        allowance = InflationAllowance(limits: limits, request: request)
        self.maximumBytes = maximumBytes
    }

    /// Passes on what a piece decodes to, in parts. Throws 400, 413, 415 and 429.
    ///
    /// - Parameter room: the most bytes that are decoded at once.
    mutating func take(
        _ piece: [UInt8], isLast: Bool, room: Int = 65_536, _ visit: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        receivedCount += piece.count
        guard let coding, let stream else {
            try count(piece.count)
            return try visit(piece[...])
        }
        try allowance.begin()
        let before = decodedCount
        defer { allowance.charge(decodedCount - before) }
        do {
            try stream.inflate(piece, room: room) { part in
                try count(part.count)
                try visit(part)
                guard decodedCount <= ContentCoding.proportionalBytes(ofReceived: receivedCount) else {
                    throw ContentCoding.disproportionate
                }
            }
        } catch let error as Inflater.Failure {
            throw ContentCoding.failure(error, coding, maximumBytes: maximumBytes)
        }
        if isLast, !stream.isEnded { throw ContentCoding.notCoded(as: coding) }
    }

    private mutating func count(_ count: Int) throws(HTTPFailure) {
        decodedCount += count
        guard decodedCount <= maximumBytes else { throw .bodyTooLarge(limitBytes: maximumBytes) }
    }
}
