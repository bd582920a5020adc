import CFuzzer
import Foundation
import FuzzTargets

/// Runs libFuzzer on one of the targets, selected by `SUBGUARD_FUZZ_TARGET`: an argument would be lost when libFuzzer
/// restarts itself to merge a corpus. All command-line arguments are libFuzzer's.
@main enum Fuzz {
    fileprivate static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["SUBGUARD_FUZZ_TARGET"] ?? ""
        if let target = FuzzTarget(rawValue: name) { return target }
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        let message = "error: SUBGUARD_FUZZ_TARGET must be one of \(names), not '\(name)'\n"
        FileHandle.standardError.write(Data(message.utf8))
        exit(64)
    }()

    /// SwiftPM makes this the program's entry point instead of libFuzzer's `main`, which it replaces.
    static func main() {
        _ = target
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
    }
}

/// Runs one input. libFuzzer links against this name.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try Fuzz.target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        // libFuzzer reports an input only if the process dies.
        FileHandle.standardError.write(Data("broken promise: \(error)\n".utf8))
        abort()
    }
    return 0
}
