/// Keeps what is needed of a large body while the rest of it still arrives, so that the whole is never in memory.
///
/// A sieve belongs to one request. Its calls come one after another, from workers.
package protocol BodySieve: Sendable {
    /// What is kept of the next piece. An error rejects the request; the rest of its body is read and dropped.
    func take(_ piece: [UInt8]) throws -> [UInt8]
}

/// What a sieve has kept of a body so far. ``Request/body`` is the rest, which it has not seen.
package struct SievedBody: Sendable {
    package let sieve: any BodySieve
    package internal(set) var kept: [UInt8] = []
}
