/// What one message may cost before it is refused. Every limit is in bytes or a count, and none can be switched off.
package struct HTTPLimits: Sendable, Equatable {
    /// Longest request line without its line end; over it the answer is 414.
    package var requestLineBytes = 8 * 1024
    /// All field lines of a head together, line ends included; over it the answer is 431.
    package var headerBytes = 32 * 1024
    /// Field lines in a head, and again in a trailer section; over it the answer is 431.
    package var fieldCount = 100
    /// Chunk extensions of one message together. They mean nothing to us, so a flood of them is an attack
    /// (CVE-2023-39326, CVE-2024-22019).
    package var chunkExtensionBytes = 4 * 1024
    /// Trailer section of one message.
    package var trailerBytes = 8 * 1024
    /// Body as sent, unless the route says otherwise; over it the answer is 413.
    package var bodyBytes = 1024 * 1024

    package init() {}
}
