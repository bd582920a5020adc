#if canImport(DeviceApp)
    import DeviceCommands
    import FileAccess
    import Foundation
    import SubGuardEngine

    #if canImport(Glibc)
        import Glibc
    #endif

    /// A file that leads a browser to the address with the one-time code. The command line of a browser can be read by
    /// other users of the machine; the file, in a folder of its own, only by the user.
    struct LaunchFile {
        let path: String
        private let folder: String

        private static let prefix = "subguard-open-"
        /// Browsers that are installed with snap, by the name of their desktop file.
        private static let snapFolder = "/var/lib/snapd/desktop/applications"

        /// Writes the file. Nil where no folder takes it.
        ///
        /// - Parameter data: the folder of the database, for systems without a folder of the session.
        init?(_ address: String, data: String, environment: [String: String] = Invocation.current.environment) {
            for place in Self.places(data, environment) {
                Self.deleteExpired(in: place)
                guard let folder = Self.makeFolder(in: place) else { continue }
                let path = folder + "/open.html"
                if Self.write(Self.page(address), to: path) {
                    (self.path, self.folder) = (path, folder)
                    return
                }
                rmdir(folder)
            }
            return nil
        }

        func delete() {
            unlink(path)
            rmdir(folder)
        }

        /// Where a browser may read files and no other user may change them, the best place first.
        private static func places(_ data: String, _ environment: [String: String]) -> [String] {
            var places: [String] = []
            // A browser from a snap reads neither hidden folders nor those of the session, but its own.
            if let home = environment["HOME"], let snap = snapOfBrowser() {
                places.append("\(home)/snap/\(snap)/common")
            }
            if let session = environment["XDG_RUNTIME_DIR"], session.hasPrefix("/"), isPrivate(session) {
                places.append(session)
            }
            // Elsewhere, other users could replace this page. The address is printed anyway.
            return (places + [data]).filter { FilePath.isOutOfReach(ofOthers: $0) }
        }

        /// The snap that the default browser is from; nil for none. Desktop files of snaps are named
        /// `snap_program.desktop`.
        private static func snapOfBrowser() -> String? {
            guard FileManager.default.fileExists(atPath: snapFolder) else { return nil }
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.environment = Invocation.current.environmentOfOthers
            process.arguments = ["xdg-settings", "get", "default-web-browser"]
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return nil }
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let name = output.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !name.contains("/"), let snap = name.split(separator: "_").first, name.contains("_"),
                FileManager.default.fileExists(atPath: "\(snapFolder)/\(name)")
            else { return nil }
            return String(snap)
        }

        /// Whether a folder belongs to the user, and no other user reads it.
        private static func isPrivate(_ path: String) -> Bool {
            var status = stat()
            return stat(path, &status) == 0 && status.st_uid == getuid() && status.st_mode & 0o077 == 0
        }

        /// A new folder with mode 0700.
        private static func makeFolder(in place: String) -> String? {
            var template = Array("\(place)/\(prefix)XXXXXX".utf8CString)
            return template.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
            }
        }

        private static func write(_ text: String, to path: String) -> Bool {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            let bytes = Array(text.utf8)
            return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        }

        /// Those of programs that were killed.
        private static func deleteExpired(in place: String) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            for name in names where name.hasPrefix(prefix) {
                var status = stat()
                let folder = "\(place)/\(name)"
                guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
                    time(nil) - status.st_mtim.tv_sec > Int(DeviceStore.Browsers.codeSeconds)
                else { continue }
                unlink(folder + "/open.html")
                rmdir(folder)
            }
        }

        /// The address has no characters that are markup.
        private static func page(_ address: String) -> String {
            """
            <!doctype html>
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>SubGuard</title>
            <p><a href="\(address)">SubGuard</a>

            """
        }
    }
#endif
