/// What kind of personal or secret text was masked.
package enum Masking: String, Sendable, CaseIterable {
    case query, token, email, address, number, user

    /// What stands in its place. Holds nothing that any rule looks for, so that masking twice changes nothing.
    var mark: [UInt8] { Array("[\(rawValue)]".utf8) }
}

/// A place that a rule has found: from the byte that was looked at, what comes before `start` stays, and what comes then
/// is masked up to `end`.
struct MaskedPlace {
    let kind: Masking
    let start: Int
    let end: Int
}
