import Foundation
import SubGuardClient
import TestKit
import Testing

@Suite struct CredentialFileTests {
    private let folder: TemporaryFolder
    private let file: CredentialFile
    private let credentials = Credentials(server: "https://a.example", accessToken: "a\"é", refreshToken: "r")

    init() throws {
        folder = try TemporaryFolder()
        file = CredentialFile(path: folder.file("session"))
    }

    @Test func isTheOwnersAlone() throws {
        #expect(try file.load() == nil)
        try file.save(credentials)
        #expect(try file.load() == credentials)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try file.remove()
        try file.remove()
        #expect(try file.load() == nil)
    }

    @Test(arguments: [0o640, 0o604, 0o666, 0o620])
    func refusesOneThatOthersMayTouch(_ mode: Int) throws {
        try file.save(credentials)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        #expect(throws: ClientError.self) { try file.load() }
    }

    @Test func refusesALinkAndADamagedOne() throws {
        try file.save(credentials)
        let link = CredentialFile(path: folder.file("link"))
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.path)
        #expect(throws: ClientError.self) { try link.load() }
        for text in ["", "{}", "{\"server\":1}", "not json"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
            #expect(throws: ClientError.self, "\(text)") { try file.load() }
        }
    }
}
