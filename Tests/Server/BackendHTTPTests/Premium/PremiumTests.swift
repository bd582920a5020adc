import BackendHTTP
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct PremiumTests {
    private func verify(_ world: AppleWorld, _ transaction: String, _ access: String) throws -> RawResponse {
        try world.call(
            "POST", "/api/v1/premium/verify", access, json: #"{"signed_transaction":"\#(transaction)"}"#)
    }

    private func notify(_ world: AppleWorld, _ claims: [String: String]) throws -> RawResponse {
        try world.server.post(
            "/api/v1/app_store/notifications", #"{"signedPayload":"\#(try world.signer.sign(claims))"}"#)
    }

    @Test func verifiesAndTellsWhatTheAccountHas() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let access = try world.signIn(nonce: "n-1").access
        let empty = try world.call("GET", "/api/v1/premium", access).json()
        #expect(empty["status"]?.stringValue == "none")
        #expect(empty["product_id"]?.isNull == true && empty["expires_at"]?.isNull == true)
        let token = try #require(empty["app_account_token"]?.stringValue)
        let id = try #require(empty["account_id"]?.stringValue)
        #expect(empty["source"]?.isNull == true)
        let transaction = try world.signer.sign(
            world.sample.transaction(changes: ["appAccountToken": "\"\(token)\""]))
        let answer = try verify(world, transaction, access)
        #expect(answer.status == 200)
        #expect(
            answer.text
                == #"""
                {"status":"active","product_id":"premium.yearly","expires_at":"2026-12-19T10:00:00Z",\#
                "environment":"production","source":"app_store","account_id":"\#(id)",\#
                "app_account_token":"\#(token)"}
                """#
        )
        #expect(try world.call("GET", "/api/v1/premium", access).text == answer.text)
        let other = try world.signIn("002.max", nonce: "n-2").access
        try world.server.expectProblem(try verify(world, transaction, other), .purchaseTaken)
    }

    /// A server whose operator gives premium to all, accounts or none.
    @Test func givesPremiumToAll() throws {
        let world = try AppleWorld(settings: ["premium_for_all": "true"])
        defer { world.end() }
        let answer = try world.server.get("/api/v1/premium")
        #expect(
            answer.text
                == #"""
                {"status":"active","product_id":null,"expires_at":"2026-12-20T10:00:00Z","environment":null,\#
                "source":"all","account_id":null,"app_account_token":null}
                """#
        )
        try world.server.expectProblem(try world.call("GET", "/api/v1/premium", "no-token"), .unauthorized)
        try world.server.expectInvalid(try world.server.get("/api/v1/premium?x=1"), [("x", "unknown_parameter")])
        let access = try world.signIn(nonce: "n-1").access
        let mine = try world.call("GET", "/api/v1/premium", access).json()
        #expect(mine["status"]?.stringValue == "active" && mine["product_id"]?.isNull == true)
        #expect(mine["app_account_token"]?.stringValue != nil)
        // What was bought is told as bought.
        #expect(try verify(world, try world.signer.sign(world.sample.transaction()), access).status == 200)
        let bought = try world.call("GET", "/api/v1/premium", access).json()
        #expect(bought["product_id"]?.stringValue == "premium.yearly")
        let page = try world.server.get("/api/v1/catalogue")
        #expect(page.values(of: "SubGuard-Premium") == ["all"])
        // Nothing else is open.
        try world.server.expectProblem(try world.server.post("/api/v1/premium/verify", "{}"), .unauthorized)
    }

    @Test func refusesWhatTheStoreDidNotSign() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let access = try world.signIn(nonce: "n-1").access
        let stranger = try AppStoreSigner(now: world.seconds).sign(world.sample.transaction())
        for text in ["x", "a.b.c", stranger] {
            try world.server.expectProblem(try verify(world, text, access), .invalidTransaction)
        }
        #expect(try world.server.logs { $0["reason"]?.stringValue == "another root" })
        try world.server.expectInvalid(
            try world.call("POST", "/api/v1/premium/verify", access, json: #"{"signed_transaction":1,"x":2}"#),
            [("#/x", "unknown_field"), ("#/signed_transaction", "invalid_type")])
        #expect(try world.call("GET", "/api/v1/premium", access).json()["status"]?.stringValue == "none")
    }

    /// PostgreSQL stores no NUL.
    @Test func saysThatATextCannotBeStored() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let access = try world.signIn(nonce: "n-1").access
        let text = try world.signer.sign(world.sample.transaction(product: #"premium\u0000.yearly"#))
        let answer = try verify(world, text, access)
        guard TestDatabase.chosen == .postgres else {
            #expect(answer.status == 200)
            return
        }
        try world.server.expectInvalid(answer, [("#", "invalid_characters")])
        #expect(try world.call("GET", "/api/v1/premium", access).json()["status"]?.stringValue == "none")
        #expect(try verify(world, try world.signer.sign(world.sample.transaction()), access).status == 200)
    }

    @Test func followsNotifications() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let access = try world.signIn(nonce: "n-1").access
        let transaction = try world.signer.sign(world.sample.transaction())
        #expect(try verify(world, transaction, access).status == 200)
        let test = world.sample.notification("TEST", id: "T-1", transaction: nil)
        #expect(try notify(world, test).status == 200)
        let refund = world.sample.notification(
            "REFUND", id: "R-1",
            transaction: try world.signer.sign(
                world.sample.transaction(changes: [
                    "revocationDate": "\(world.seconds * 1000)", "revocationReason": "0",
                ])))
        for _ in 0..<2 { #expect(try notify(world, refund).status == 200) }
        #expect(try world.call("GET", "/api/v1/premium", access).json()["status"]?.stringValue == "refunded")
        let inner = try AppStoreSigner(now: world.seconds).sign(world.sample.transaction())
        try world.server.expectProblem(
            try notify(world, world.sample.notification("DID_RENEW", id: "D-1", transaction: inner)), .invalidSignature)
        let more = try world.signer.sign(test)
        let lenient = try world.server.post(
            "/api/v1/app_store/notifications", #"{"signedPayload":"\#(more)","somethingNew":{}}"#)
        #expect(lenient.status == 200)
    }

    @Test func saysWhenPurchasesAreNotSetUp() throws {
        let world = try AppleWorld(settings: ["app_store_bundle_id": ""])
        defer { world.end() }
        let access = try world.signIn(nonce: "n-1").access
        try world.server.expectProblem(try verify(world, "x", access), .premiumNotConfigured)
        try world.server.expectProblem(
            try world.server.post("/api/v1/app_store/notifications", #"{"signedPayload":"x"}"#), .premiumNotConfigured)
        #expect(try world.call("GET", "/api/v1/premium", access).status == 200)
    }

    /// An internal error makes the App Store resend the notification.
    @Test func answersItsOwnFaultsSoThatTheStoreComesAgain() throws {
        let world = try AppleWorld(logsErrors: true)
        defer { world.end() }
        let claims = world.sample.notification(
            "SUBSCRIBED", id: "S-1", transaction: try world.signer.sign(world.sample.transaction()))
        try world.server.outside.context.store.write { try $0.execute("ALTER TABLE purchases RENAME TO elsewhere") }
        let failed = try notify(world, claims)
        #expect(failed.status == 500)
        try world.server.outside.context.store.write { try $0.execute("ALTER TABLE elsewhere RENAME TO purchases") }
        // The failed notification was not recorded as processed.
        #expect(try notify(world, claims).status == 200)
        let count = try world.server.outside.context.store.read {
            try $0.first("SELECT count(*) FROM purchases") { try $0.integer(0) }
        }
        #expect(count == 1)
    }
}
