import Foundation
import TestKit

/// Runs a process with other certificate authorities than this machine's. This needs a private mount namespace, because
/// the TLS library's search path cannot be configured.
enum TrustStore {
    /// Whether the user may create such a namespace; within some containers that is forbidden.
    static let isAvailable: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Makes `process` trust this authority alone.
    static func set(_ authority: CertificateAuthority, for process: Process) {
        wrap(process, "mount --bind \(authority.path) /etc/ssl/certs/ca-certificates.crt")
    }

    /// Runs shell lines as root before `process`, with a copy of this machine's authorities that they may change.
    static func prepare(_ process: Process, in folder: TemporaryFolder, _ lines: [String]) {
        let copy = folder.file("authorities")
        // One line each, because `set -e` does not apply inside a list. The lines change files in place, so they must
        // work on the copy.
        wrap(
            process,
            """
            mkdir \(copy)
            cp --recursive --no-dereference /etc/ssl/certs/. \(copy)
            mount --bind \(copy) /etc/ssl/certs
            mount -t tmpfs none /usr/local/share/ca-certificates
            [ "$(stat --format %i /etc/ssl/certs)" = "$(stat --format %i \(copy))" ]
            [ -z "$(ls /usr/local/share/ca-certificates)" ]
            cd \(folder.path)
            sudo() { "$@"; }
            \(lines.joined(separator: "\n"))
            """)
    }

    /// Runs the lines of a shell as root in the namespace, then the process.
    static func wrap(_ process: Process, _ script: String) {
        let program = process.executableURL?.path ?? ""
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "unshare", "--map-root-user", "--mount", "sh", "-ec",
                "{\n\(script)\n} >&2\nexec \"$0\" \"$@\"", program,
            ] + (process.arguments ?? [])
    }
}
