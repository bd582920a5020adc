/// The running version.
package enum BuildInfo {
    /// Semantic version of the server; `CHANGELOG.md` describes it.
    package static let version = "0.1.0"
}
