import SubGuardDomain
import SubGuardStatements

/// The fuzz targets, by the names used in `Scripts/fuzz` and in the folders of the corpus.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A connection's bytes through the request parser, at once and in pieces.
    case request
    /// The chunked transfer coding, compared with a second decoder.
    case chunked
    /// `gzip` and `deflate` bodies with a limit.
    case inflate
    /// Query strings and percent-encoding.
    case query
    /// Request targets and the route table.
    case target
    /// Hosts in the field and in absolute targets, and addresses from proxies.
    case host
    /// JSON texts through reader, tree and writer.
    case json
    /// Bodies of analytics events.
    case events
    /// Blocks of the event log as they are read back.
    case block
    /// Envelopes of the Sentry protocol, and the stored parts of their items.
    case envelope
    /// Texts of crash reports through the scrubber.
    case scrub
    /// Files of logos.
    case logo
    /// Bodies of forms, URL-encoded and multipart.
    case form
    /// Pages written from hostile texts, read back by another scanner.
    case html
    /// CBOR, authenticator data and keys of passkeys.
    case passkey
    /// Bank statements by format, and the proposals made of them.
    case csvStatement = "csv-statement"
    case ofx
    case qif
    case camt
    case mt940
    /// Workbooks, whose parts are in the input without the zip around them, and hostile archives.
    case xlsx
    /// Zip archives of one file.
    case zip
    /// Reference rates, as CSV and as XML.
    case rates
    /// A subscription typed on one line.
    case quickEntry = "quick-entry"
    /// Lists of symbols, the pages made of them, and mangled names.
    case symbols

    /// Runs one input. Throws if an invariant is violated; crashes are detected by libFuzzer.
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
        case .form: try FormFuzz.run(input)
        case .html: try HTMLFuzz.run(input)
        case .passkey: try PasskeyFuzz.run(input)
        case .csvStatement: try StatementFuzz.run(input, .csv)
        case .ofx: try StatementFuzz.run(input, .ofx)
        case .qif: try StatementFuzz.run(input, .qif)
        case .camt: try StatementFuzz.run(input, .camt)
        case .mt940: try StatementFuzz.run(input, .mt940)
        case .xlsx: try StatementFuzz.run(input, .xlsx)
        case .zip: try ZipFuzz.run(input)
        case .rates: try RatesFuzz.run(input)
        case .quickEntry: try QuickEntryFuzz.run(input)
        case .symbols: try SymbolsFuzz.run(input)
        }
    }
}
