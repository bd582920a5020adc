import ArgumentParser
import SubGuardContract
import TestKit
import Testing

@testable import LoadTester

@Suite struct SigningKeyTests {
    private func key(_ text: String) throws -> IngestSigningKey? {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: "key")
        return try LoadPlan.parse(["--signing-key-file", file]).signingKey
    }

    /// Computed with OpenSSL as in docs/api.md.
    @Test func signsAsTheDocumentationSays() throws {
        let key = try key(" ios-1.4:AAECAwQFBgcICQoLDA0ODw==\n")
        #expect(
            key?.field(Array(#"[{"é":1}]"#.utf8), at: 1_700_000_000)
                == "SubGuard-Signature: key=ios-1.4, t=1700000000, "
                + "v1=f7da3b63c670267a40debfaab9fce44fbc7059933fb6eb0bc5cd97298a05543a\r\n")
    }

    @Test(arguments: ["", "ios", "ios:", "ios:AAEC", "ios:not base64", ":AAECAwQFBgcICQoLDA0ODw=="])
    func refusesWhatIsNoKey(_ text: String) {
        let error = #expect(throws: (any Error).self) { try key(text) }
        let words = error.map { LoadPlan.fullMessage(for: $0) } ?? ""
        #expect(words.contains("--signing-key-file"))
        #expect(!words.contains("AAEC"))
    }
}
