import Testing

/// The entry point of all tests, which SwiftPM finds by the name of this file. Without it, SwiftPM looks for XCTest's
/// tests in an index, whose writing costs a seventh of the compiler's time.
@main
struct TestProgram {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
