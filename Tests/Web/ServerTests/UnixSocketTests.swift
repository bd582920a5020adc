import CEpoll
import Foundation
import Glibc
import TestKit
import Testing

@testable import HTTPServer

/// Sockets of this machine, named by a path.
@Suite struct UnixSocketTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func serve(_ path: String, mode: UInt32 = 0o660, group: String? = nil) throws -> TestServer {
        try TestServer {
            $0.tls = nil
            $0.host = "unix:\(path)"
            $0.socketAccess.mode = mode
            $0.socketAccess.group = group
        }
    }

    /// The status line of a response.
    private func get(_ path: String) -> String? {
        guard let descriptor = SocketConnection.open(host: "unix:\(path)", port: 0, timeoutSeconds: 5) else {
            return nil
        }
        defer { close(descriptor) }
        let request = Array("GET /hello HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &answer, answer.count, 0)
        return String(decoding: answer.prefix(max(0, count)), as: UTF8.self).split(separator: "\r\n").first.map(
            String.init)
    }

    private func status(_ path: String) -> stat? {
        var found = stat()
        return lstat(path, &found) == 0 ? found : nil
    }

    @Test func servesWhoMayWriteToTheSocketAndRemovesItAtTheEnd() throws {
        let path = folder.file("http.sock")
        var server: TestServer? = try serve(path, mode: 0o640)
        #expect(server?.port == 0)
        #expect(status(path).map { $0.st_mode & 0o777 } == 0o640)
        #expect(get(path) == "HTTP/1.1 200 OK")
        server?.server.stop(deadline: .zero)
        server = nil
        #expect(status(path) == nil)
        #expect(get(path) == nil)
    }

    @Test func replacesASocketThatAServerHasLeftBehindAndNoOther() throws {
        let path = folder.file("http.sock")
        // A process that was killed leaves its socket.
        var address = try #require(SocketFile.address(path))
        let killed = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(SocketFile.withSockaddr(&address) { bind(killed, $0, $1) } == 0)
        close(killed)
        let server = try serve(path)
        #expect(get(path) == "HTTP/1.1 200 OK")
        let refusal = #expect(throws: ListenError.self) { _ = try serve(path) }
        #expect(refusal?.isInUse == true)
        #expect(refusal?.description == "cannot listen on unix:\(path): Address already in use")
        #expect(get(path) == "HTTP/1.1 200 OK", "the running one goes on")
        withExtendedLifetime(server) {}

        let file = folder.file("notes.txt")
        try Data("kept".utf8).write(to: URL(fileURLWithPath: file))
        let other = #expect(throws: ListenError.self) { _ = try serve(file) }
        #expect(other?.reason == "a file that is no socket is there")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("kept".utf8))
    }

    @Test func leavesWhatAnotherProgramPutInItsPlace() throws {
        let path = folder.file("http.sock")
        let server = try serve(path)
        #expect(rename(path, folder.file("moved")) == 0)
        var address = try #require(SocketFile.address(path))
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(SocketFile.withSockaddr(&address) { bind(other, $0, $1) } == 0)
        server.server.stop(deadline: .zero)
        #expect(status(path) != nil)
        close(other)
    }

    /// Each would take the socket of the other for one that was left behind.
    @Test func ofServersThatStartAtOnceOneListens() async throws {
        for round in 0..<20 {
            let path = folder.file("http\(round).sock")
            var address = try #require(SocketFile.address(path))
            let killed = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            #expect(SocketFile.withSockaddr(&address) { bind(killed, $0, $1) } == 0)
            close(killed)
            let servers = await withTaskGroup(of: TestServer?.self) { group in
                for _ in 0..<4 { group.addTask { try? serve(path) } }
                return await group.reduce(into: []) { if let server = $1 { $0.append(server) } }
            }
            #expect(servers.count == 1)
            #expect(get(path) == "HTTP/1.1 200 OK")
        }
    }

    @Test(arguments: ["relative.sock", "", "/" + String(repeating: "x", count: 107), "/a\u{0}b"])
    func refusesAPathThatIsNone(_ path: String) {
        let refusal = #expect(throws: ListenError.self) { _ = try serve(path) }
        #expect(refusal?.reason == "the path is not absolute, or longer than 107 bytes")
    }

    @Test func namesAGroupThatIsMissing() throws {
        let refusal = #expect(throws: ListenError.self) { _ = try serve(folder.file("s"), group: "no-such-group") }
        #expect(refusal?.reason == "there is no group no-such-group")
    }

    @Test func takesSocketsOfItsParentOnlyIfTheyAreMeantForIt() throws {
        #expect(try InheritedSocket([:]) == nil)
        #expect(try InheritedSocket(["LISTEN_PID": "1", "LISTEN_FDS": "1"]) == nil)
        #expect(try InheritedSocket(["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "0"]) == nil)
        let several = #expect(throws: ListenError.self) {
            _ = try InheritedSocket(["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2"])
        }
        #expect(several?.reason == "one is expected, not 2")
    }
}
