import CFuzzer
import Foundation
import FuzzTargets

/// libFuzzer over one of the targets, which `SUBGUARD_FUZZ_TARGET` names: an argument would be lost when libFuzzer starts
/// itself again to merge a corpus. Everything on the command line is libFuzzer's.
@main enum Fuzz {
    fileprivate static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["SUBGUARD_FUZZ_TARGET"] ?? ""
        if let target = FuzzTarget(rawValue: name) { return target }
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        let message = "error: SUBGUARD_FUZZ_TARGET must be one of \(names), not '\(name)'\n"
        FileHandle.standardError.write(Data(message.utf8))
        exit(64)
    }()

    /// SwiftPM makes this the program's entry, so the `main` inside libFuzzer is never reached; it does the same.
    static func main() {
        _ = target
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
    }
}

/// One input. The name is the one that libFuzzer links against.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try Fuzz.target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        // libFuzzer reports an input only when the process dies of it.
        FileHandle.standardError.write(Data("broken promise: \(error)\n".utf8))
        abort()
    }
    return 0
}
