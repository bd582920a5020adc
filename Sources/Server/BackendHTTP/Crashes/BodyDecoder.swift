import HTTPServer
import ZlibCoding

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
