/// What is running.
package enum BuildInfo {
    /// Semantic version of the server; `CHANGELOG.md` tells what is in it.
    package static let version = "0.1.0"
}
