import COpenSSL
import Foundation
import HTTPServer
import HTTPServerTLS
import TestKit
import Testing

/// Behaviour specific to TLS. The other suites of this target also run with it, with SUBGUARD_TEST_TLS=1.
@Suite struct TLSTests {
    private static func server(
        _ pair: CertificateMaker.Pair, _ configure: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) throws -> TestServer {
        try TestServer {
            $0.tls = TLSConfiguration(certificatePath: pair.certificate, keyPath: pair.key)
            configure(&$0)
        }
    }

    /// The output of `openssl s_client` for a connection without a request.
    private static func dial(_ server: TestServer, _ arguments: String...) throws -> String {
        try CertificateMaker.run(
            ["s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", "localhost"] + arguments, mayFail: true)
    }

    @Test(arguments: [CertificateMaker.Kind.ecdsa, .rsa, .ed25519])
    func speaksBothVersionsWithEachKindOfKey(_ kind: CertificateMaker.Kind) throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make(kind))
        expect(try Self.dial(server, "-tls1_3"), contains: ["New, TLSv1.3", "Server Temp Key: X25519"])
        expect(try Self.dial(server, "-tls1_2"), contains: ["New, TLSv1.2", "Secure Renegotiation IS supported"])
    }

    @Test func refusesOldVersionsAndWeakCiphers() throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make(.rsa))
        let old = ["-tls1_1", "-cipher", "ALL@SECLEVEL=0"]
        expect(try Self.dial(server, old[0], old[1], old[2]), contains: ["Cipher is (NONE)", "alert protocol version"])
        for cipher in ["AES128-SHA256", "AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA256", "DHE-RSA-AES128-GCM-SHA256"] {
            let refusal = try Self.dial(server, "-tls1_2", "-cipher", "\(cipher)@SECLEVEL=0")
            expect(refusal, contains: ["Cipher is (NONE)", "alert handshake failure"])
        }
    }

    @Test func choosesTheProtocolOrRefusesIt() throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make())
        expect(try Self.dial(server, "-alpn", "h2,http/1.1"), contains: ["ALPN protocol: http/1.1"])
        expect(try Self.dial(server), contains: ["No ALPN negotiated", "New, TLSv1.3"])
        expect(try Self.dial(server, "-alpn", "h2,http/1.0"), contains: ["alert no application protocol"])
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func resumesSessionsOnEveryLoop(_ version: String) throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make()) { $0.loops = 2 }
        let ticket = maker.folder.file("ticket")
        let request = TestServer.get("/hello", "Connection: close")
        func ask(_ arguments: [String]) throws -> String {
            try CertificateMaker.run(
                ["s_client", "-connect", "127.0.0.1:\(server.port)", version, "-ign_eof"] + arguments, input: request)
        }
        expect(try ask(["-sess_out", ticket]), contains: ["New, TLS", "\r\n\r\nhello"])
        // Connections are distributed in turn, so two of them reach both loops.
        for _ in 0..<2 { expect(try ask(["-sess_in", ticket]), contains: ["Reused, TLS", "\r\n\r\nhello"]) }
        server.server.renewTicketKeys()
        #expect(
            try eventually { try ask(["-sess_in", ticket]).contains("New, TLS") }, "old tickets end with their keys")
    }

    @Test func refusesRenegotiation() throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make())
        let client = try RawClient(port: server.port)
        var options = SecureChannel.Options()
        options.maximumVersion = TLS1_2_VERSION
        try client.secure(options)
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
        #expect(try #require(client.channel).version == "TLSv1.2")
        #expect(try !#require(client.channel).renegotiate())
    }

    @Test func goesOnAfterTheClientChangesItsKeys() throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make())
        let client = try RawClient(port: server.port)
        try client.secure()
        let body = Pattern.text(300_000)
        for _ in 0..<50 {
            try #require(client.channel).updateKeys()
            #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
        }
        try #require(client.channel).updateKeys()
        #expect(try client.exchange(TestServer.post("/echo", body)).text == body)
    }

    @Test func isOnlyAskedWhatCurlAsks() throws {
        let maker = try CertificateMaker()
        let pair = try maker.make()
        let server = try Self.server(pair)
        let upload = try maker.folder.write(Pattern.text(1_500_000), to: "upload")
        let url = "https://localhost:\(server.port)"
        let both = try CertificateMaker.command(
            "curl",
            [
                "-sS", "--cacert", pair.certificate, "--http1.1", "-w", "|%{num_connects}|", "\(url)/hello",
                "\(url)/hello",
            ])
        #expect(both == "hello|1|hello|0|")
        let echoed = try CertificateMaker.command(
            "curl", ["-sS", "--cacert", pair.certificate, "--data-binary", "@\(upload)", "\(url)/echo"])
        #expect(echoed == Pattern.text(1_500_000))
        let streamed = try CertificateMaker.command(
            "curl", ["-sS", "--cacert", pair.certificate, "\(url)/stream?pieces=40&bytes=50000"])
        #expect(streamed.utf8.count == 2_000_000)
    }

    @Test func tellsPlainHTTPWhereItIs() throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make()) { $0.tls?.strictTransportSeconds = 60 }
        let client = try RawClient(port: server.port)
        let response = try client.exchange(TestServer.get("/hello"))
        #expect(response.status == 400)
        #expect(response.announcesClose)
        #expect(response.text == "malformedRequest")
        #expect(response["Strict-Transport-Security"] == nil)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: [
        "", "\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "SSH-2.0-x\r\n",
    ])
    func closesOnWhatIsNeitherTLSNorHTTP(_ bytes: String) throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make())
        let client = try RawClient(port: server.port)
        try client.send(bytes)
        client.endOutput()
        let answer = try client.readToEnd(resetIsEnd: true)
        #expect(answer.count <= 7, "an alert at most")
        #expect(eventually { server.application.openConnections == 0 })
        #expect(server.application.observed.isEmpty)
    }

    @Test func tellsNothingInPlainToWhoIsRefusedAtTheDoor() throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make()) {
            $0.connections.perClient = 1
            $0.connections.isExempt = { _ in false }
        }
        let first = try server.connect()
        #expect(try first.exchange(TestServer.get("/hello")).text == "hello")
        #expect(try RawClient(port: server.port).readToEnd(resetIsEnd: true).isEmpty)
    }

    @Test func givesAHandshakeItsTime() throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make()) { $0.deadlines.handshake = .seconds(1) }
        let silent = try RawClient(port: server.port)
        let begun = try RawClient(port: server.port)
        try begun.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
        #expect(try silent.readToEnd().isEmpty)
        #expect(try begun.readToEnd(resetIsEnd: true).isEmpty)
        #expect(eventually { server.application.openConnections == 0 })
        // The deadline applies only to the handshake: afterwards the client may wait.
        let client = try RawClient(port: server.port)
        try client.secure()
        Thread.sleep(forTimeInterval: 1.5)
        #expect(try client.exchange(TestServer.get("/hello")).text == "hello")
    }

    @Test func answersAClientThatHasSaidGoodbye() throws {
        let maker = try CertificateMaker()
        let server = try Self.server(try maker.make())
        let client = try RawClient(port: server.port)
        try client.secure()
        try client.send(TestServer.get("/hello") + TestServer.get("/large?bytes=200000"))
        // Only close_notify of TLS: the socket stays open in both directions.
        try #require(client.channel).sayGoodbye()
        #expect(try client.readResponse().text == "hello")
        let last = try client.readResponse()
        #expect(last.body.count == 200_000)
        #expect(try client.readToEnd().isEmpty, "and our goodbye comes behind the answer")
    }

    @Test func staysWhileTheServerTakesANewCertificate() throws {
        let maker = try CertificateMaker()
        let pair = try maker.make(name: "old.example")
        let server = try Self.server(pair)
        func connected() throws -> RawClient {
            let client = try RawClient(port: server.port)
            try client.secure()
            return client
        }
        let before = try connected()
        let oldCertificate = try #require(before.channel).certificate
        #expect(try before.exchange(TestServer.get("/hello")).text == "hello")

        try Self.replace(pair, with: maker.make(.rsa, name: "new.example"))
        #expect(try server.server.reloadTLS() != nil)
        let newCertificate = try #require(connected().channel).certificate
        #expect(eventually { (try? connected().channel?.certificate) != oldCertificate })
        #expect(try before.exchange(TestServer.get("/hello")).text == "hello")

        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: pair.certificate))
        #expect(throws: TLSError.self) { try server.server.reloadTLS() }
        #expect(try before.exchange(TestServer.get("/hello")).text == "hello")
        #expect(try connected().exchange(TestServer.get("/hello")).text == "hello")
        #expect(newCertificate != [])
    }

    private static func replace(_ old: CertificateMaker.Pair, with new: CertificateMaker.Pair) throws {
        for (from, to) in [(new.certificate, old.certificate), (new.key, old.key)] {
            try Data(contentsOf: URL(fileURLWithPath: from)).write(to: URL(fileURLWithPath: to))
        }
    }

    @Test func saysForHowLongOnlyTLSWillDo() throws {
        let maker = try CertificateMaker()
        let pair = try maker.make()
        for (seconds, line) in [(0, nil), (31_536_000, "max-age=31536000")] as [(Int, String?)] {
            let server = try Self.server(pair) { $0.tls?.strictTransportSeconds = seconds }
            let client = try server.connect()
            #expect(try client.exchange(TestServer.get("/hello"))["Strict-Transport-Security"] == line)
            #expect(try client.exchange(TestServer.get("/nowhere"))["Strict-Transport-Security"] == line)
        }
    }
}
