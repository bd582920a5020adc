/// What is fuzzed, by the name that `Scripts/fuzz` and the folders of the corpus use.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A connection's bytes through the request parser, at once and in pieces.
    case request
    /// The chunked transfer coding against a second decoder written for this.
    case chunked
    /// `gzip` and `deflate` bodies within a bound.
    case inflate
    /// Query strings and percent-encoding.
    case query
    /// Request targets and the route table.
    case target
    /// Hosts in the field and in absolute targets, and addresses of proxies.
    case host
    /// JSON texts through reader, tree and writer.
    case json
    /// Bodies of analytics events.
    case events
    /// Blocks of the event log as they are read back.
    case block
    /// Envelopes of the Sentry protocol, and what is kept of their items.
    case envelope
    /// Texts of crash reports through the scrubber.
    case scrub
    /// Files of logos.
    case logo

    /// Feeds one input. Throws when something that holds for every input did not hold; a crash is found by itself.
    package func run(_ input: [UInt8]) throws(BrokenPromise) {
        switch self {
        case .request: try RequestFuzz.run(input)
        case .chunked: try ChunkedFuzz.run(input)
        case .inflate: try InflateFuzz.run(input)
        case .query: try QueryFuzz.run(input)
        case .target: try TargetFuzz.run(input)
        case .host: try HostFuzz.run(input)
        case .json: try JSONFuzz.run(input)
        case .events: try EventsFuzz.run(input)
        case .block: try BlockFuzz.run(input)
        case .envelope: try EnvelopeFuzz.run(input)
        case .scrub: try ScrubFuzz.run(input)
        case .logo: try LogoFuzz.run(input)
        }
    }
}
