#if canImport(DeviceApp)
    import Foundation
    import TestKit
    import Testing

    @testable import subguard

    /// The file that leads the browser to the app is only where no other user can put another one in its place.
    @Suite struct LaunchFileTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            try #require(chmod(folder.path, 0o700) == 0)
        }

        private func isWritten(in name: String) -> Bool {
            let file = LaunchFile("http://127.0.0.1:1/#a", data: folder[name], environment: [:])
            file?.delete()
            return file != nil
        }

        @Test func onlyInAFolderThatNobodyElseMayChange() throws {
            for (mode, isSafe) in [
                (0o700, true), (0o755, true), (0o1777, true), (0o1770, true), (0o2770, false), (0o777, false),
                (0o720, false),
            ] as [(mode_t, Bool)] {
                try #require(mkdir(folder["a"], 0o700) == 0 && chmod(folder["a"], mode) == 0)
                try #require(mkdir(folder["a/b"], 0o700) == 0)
                #expect(isWritten(in: "a") == isSafe, "\(String(mode, radix: 8))")
                #expect(isWritten(in: "a/b") == isSafe, "below \(String(mode, radix: 8))")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder["a"]) == ["b"])
                try FileManager.default.removeItem(atPath: folder["a"])
            }
        }

        @Test(.enabled(if: geteuid() == 0, "only root can make folders of another user"))
        func notInAFolderOfAnotherUser() throws {
            for mode in [0o700, 0o1777] as [mode_t] {
                try #require(mkdir(folder["a"], 0o700) == 0 && chmod(folder["a"], mode) == 0)
                try #require(chown(folder["a"], 65_534, 65_534) == 0)
                #expect(!isWritten(in: "a"))
                try #require(rmdir(folder["a"]) == 0)
            }
        }
    }
#endif
