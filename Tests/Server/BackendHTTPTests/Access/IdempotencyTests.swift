import Catalogue
import HTTPTypes
import HTTPWire
import JSONWire
import SQLDatabase
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@testable import BackendHTTP
@testable import ServerAccess

@Suite struct IdempotencyTests {
    private static let catalogue = "/api/v1/admin/catalogue"
    private static let item =
        #"{"name":"Été 29","category":"press","typical_amount":"12.34","currency":"EUR","billing_cycle":"monthly"}"#

    @Test func givesTheFirstAnswerAgainAndDoesNothingTwice() throws {
        let server = try TestServer()
        defer { server.end() }
        let key = "Idempotency-Key: \"2024-02-29/été-is-not-ascii\"".replacing("é", with: "e")
        let first = try server.admin(.editor, "POST", Self.catalogue, json: Self.item, key)
        #expect(first.status == 201)
        #expect(first["Idempotency-Replayed"] == nil)
        let again = try server.admin(.editor, "POST", Self.catalogue, json: Self.item, key)
        #expect(again.status == 201)
        #expect(again["Idempotency-Replayed"] == "true")
        #expect(again.body == first.body)
        #expect(again["Location"] == first["Location"])
        #expect(try again.etag() == first.etag())
        #expect(try server.admin(.editor, "GET", Self.catalogue + "?q=ete").items().count == 1)
    }

    @Test func refusesTheKeyForAnotherRequest() throws {
        let server = try TestServer()
        defer { server.end() }
        let key = "Idempotency-Key: k1"
        #expect(try server.admin(.editor, "POST", Self.catalogue, json: Self.item, key).status == 201)
        let other = Self.item.replacing("12.34", with: "12.35")
        try server.expectProblem(
            try server.admin(.editor, "POST", Self.catalogue, json: other, key), .idempotencyKeyReused)
        try server.expectProblem(
            try server.admin(.editor, "POST", Self.catalogue + "/import", json: Self.item, key), .idempotencyKeyReused)
        // Keys of different callers are independent.
        try server.expectProblem(
            try server.admin(.owner, "POST", Self.catalogue, json: Self.item, key), .slugTaken)
    }

    @Test func forgetsAfterADay() throws {
        let server = try TestServer()
        defer { server.end() }
        let key = "Idempotency-Key: k2"
        #expect(try server.admin(.editor, "POST", Self.catalogue, json: Self.item, key).status == 201)
        server.clock.advance(by: .seconds(24 * 3600 - 1))
        #expect(try server.admin(.editor, "POST", Self.catalogue, json: Self.item, key).status == 201)
        server.clock.advance(by: .seconds(1))
        try server.expectProblem(
            try server.admin(.editor, "POST", Self.catalogue, json: Self.item, key), .slugTaken)
    }

    @Test func keepsNoRefusal() throws {
        let server = try TestServer()
        defer { server.end() }
        let key = "Idempotency-Key: k3"
        let bad = Self.item.replacing("EUR", with: "EURO")
        try server.expectProblem(
            try server.admin(.editor, "POST", Self.catalogue, json: bad, key), .validationFailed)
        #expect(try server.admin(.editor, "POST", Self.catalogue, json: Self.item, key).status == 201)
    }

    @Test(arguments: ["", "\"\"", "a b", "\u{7F}", String(repeating: "k", count: 256)])
    func refusesWhatIsNoKey(_ key: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let response = try server.admin(
            .editor, "POST", Self.catalogue, json: Self.item, "Idempotency-Key: \(key)")
        #expect([400, 422].contains(response.status))
        #expect(try server.admin(.editor, "GET", Self.catalogue + "?q=ete").items().isEmpty)
    }

    /// A running request, and requests whose server died before or after the change.
    @Test func tellsARunningRequestFromALostOne() throws {
        let server = try TestServer()
        defer { server.end() }
        let id = try #require(AccessTokenStore(context: server.outside.context).list().first { $0.role == .editor }?.id)
        let store = IdempotencyStore(context: server.outside.context)
        let claim = IdempotencyStore.Claim(tokenID: id, key: "k", content: [[1]])
        #expect(try store.begin(claim) == .new)
        #expect(try store.begin(claim) == .running(leaseSeconds: 600))
        server.clock.advance(by: .milliseconds(598_500))
        #expect(try store.begin(claim) == .running(leaseSeconds: 2))
        server.clock.advance(by: .seconds(601))
        #expect(try store.begin(claim) == .new)
        let actor = Actor(tokenID: id, name: "Zoë, editor", requestID: "died-12.34").claiming(claim)
        try CatalogueStore(context: server.outside.context)
            .insert(.sample("Perdu", slug: "perdu"), id: nil, by: actor)
        server.clock.advance(by: .seconds(601))
        #expect(try store.begin(claim) == .answerLost)
    }

    /// Most requests are answered within seconds; the lease is for one whose server died.
    @Test func asksToRepeatWithinSeconds() throws {
        let server = try TestServer()
        defer { server.end() }
        let id = try #require(AccessTokenStore(context: server.outside.context).list().first { $0.role == .editor }?.id)
        let answers = IdempotentAnswers(store: IdempotencyStore(context: server.outside.context)) { _ in }
        let claim = IdempotencyStore.Claim(tokenID: id, key: "k", content: [[1]])
        let seal = AnswerSeal(token: "t", key: "k")
        let refusal = #expect(throws: HTTPFailure.self) {
            try answers.once(claim, seal) { try answers.once(claim, seal) { throw HTTPFailure(.notFound) } }
        }
        #expect(refusal?.code == .requestRunning && refusal?.fields[.retryAfter] == "5")
    }

    /// The connection is lost with COMMIT, or a step after it fails: the change is not made twice.
    @Test func keepsTheKeyOfARequestThatFailedAfterItsChange() throws {
        let server = try TestServer()
        defer { server.end() }
        let context = server.outside.context
        let id = try #require(AccessTokenStore(context: context).list().first { $0.role == .editor }?.id)
        let store = IdempotencyStore(context: context)
        let lost = SQLError(code: .disconnected, number: 0, context: "commit")
        func state(after key: String, _ change: (Actor) throws -> Void) throws -> IdempotencyStore.State {
            let claim = IdempotencyStore.Claim(tokenID: id, key: key, content: [[29]])
            #expect(throws: lost) {
                _ = try IdempotentAnswers(store: store) { _ in }.once(claim, AnswerSeal(token: "t", key: key)) {
                    try change(Actor(tokenID: id, name: "Zoë, editor", requestID: "job-7").claiming(claim))
                    throw lost
                }
            }
            return try store.begin(claim)
        }
        let changed = try state(after: "changed") {
            try CatalogueStore(context: context).insert(.sample("Été", slug: "ete"), id: nil, by: $0)
        }
        #expect(changed == .answerLost)
        #expect(try state(after: "rolled-back") { _ in } == .new)
        // Another request of the same client, with the same `X-Request-Id`.
        let other = Actor(tokenID: id, name: "Zoë, editor", requestID: "job-7")
        let untouched = try state(after: "other") { _ in
            try CatalogueStore(context: context).insert(.sample("Autre", slug: "autre"), id: nil, by: other)
        }
        #expect(untouched == .new)
        // While nobody can tell, the key is kept, too.
        let unknown = try state(after: "unknown") { _ in
            _ = try context.store.write { try $0.execute("ALTER TABLE audit_entries RENAME TO audit_entries_away") }
        }
        #expect(unknown == .running(leaseSeconds: 600))
        _ = try context.store.write { try $0.execute("ALTER TABLE audit_entries_away RENAME TO audit_entries") }
    }

    /// Any token can make requests that are refused, and every other write waits meanwhile.
    @Test func searchesForAChangeOnlySinceTheRequestBegan() throws {
        let server = try TestServer()
        defer { server.end() }
        let store = server.outside.context.store
        let id = try #require(AccessTokenStore(context: server.outside.context).list().first { $0.role == .editor }?.id)
        let actor = Actor(tokenID: id, name: "Zoë, editor", requestID: nil)
        try store.write { transaction in
            for _ in 0..<3000 {
                try AuditLog.append(
                    .catalogueUpdate, by: actor, at: UTCInstant(millisecondsSinceEpoch: server.clock.now),
                    in: transaction)
            }
        }
        if store.dialect == .postgres { try store.write { _ = try $0.execute("ANALYZE audit_entries") } }
        let isSQLite = store.dialect == .sqlite
        let plan = try store.read { session in
            try session.query(
                (isSQLite ? "EXPLAIN QUERY PLAN " : "EXPLAIN ") + IdempotencyStore.searchForChange,
                [.integer(2990), .blob(id.rawBytes), .text("r")]
            ) { try $0.text(isSQLite ? 3 : 0) }
        }.joined(separator: "\n")
        #expect(plan.contains(isSQLite ? "USING INTEGER PRIMARY KEY (rowid>?)" : "Index Scan using"), "\(plan)")
        #expect(plan.contains(isSQLite ? "SEARCH" : "Index Cond: (sequence > "), "\(plan)")
        let bad = Self.item.replacing("EUR", with: "EURO")
        try server.expectProblem(
            try server.admin(.editor, "POST", Self.catalogue, json: bad, "Idempotency-Key: k"), .validationFailed)
    }

    /// A clock that is set back between them does not hide a change, nor does a program that knows no `audit_count`.
    @Test(arguments: [false, true]) func findsAChangeWhateverTheClockSays(_ isOld: Bool) throws {
        let server = try TestServer()
        defer { server.end() }
        let context = server.outside.context
        let id = try #require(AccessTokenStore(context: context).list().first { $0.role == .editor }?.id)
        let store = IdempotencyStore(context: context)
        let claim = IdempotencyStore.Claim(tokenID: id, key: "k", content: [[1]])
        #expect(try store.begin(claim) == .new)
        if isOld {
            try context.store.write { _ = try $0.execute("UPDATE idempotent_answers SET audit_count = NULL") }
        }
        server.clock.advance(by: .seconds(-60))
        let actor = Actor(tokenID: id, name: "Zoë, editor", requestID: "r").claiming(claim)
        try CatalogueStore(context: context).insert(.sample("Perdu", slug: "perdu"), id: nil, by: actor)
        server.clock.advance(by: .seconds(661))
        #expect(try store.begin(claim) == .answerLost)
    }

    @Test func letsGoOfRequestsWhoseServerIsGone() throws {
        let server = try TestServer()
        defer { server.end() }
        let id = try #require(AccessTokenStore(context: server.outside.context).list().first { $0.role == .editor }?.id)
        let store = IdempotencyStore(context: server.outside.context)
        let early = UTCInstant(millisecondsSinceEpoch: server.clock.now)
        let late = IdempotencyStore.Claim(tokenID: id, key: "late", content: [[2]])
        let claim = IdempotencyStore.Claim(tokenID: id, key: "29-02", content: [[1]])
        #expect(try store.begin(claim) == .new)
        server.clock.advance(by: .seconds(1))
        #expect(try store.begin(late) == .new)
        #expect(try store.release(startedBefore: early) == 0)
        #expect(try store.release(startedBefore: UTCInstant(millisecondsSinceEpoch: server.clock.now)) == 1)
        #expect(try store.begin(claim) == .new)
        #expect(try store.begin(late) == .running(leaseSeconds: 600))
    }

    @Test func keepsNoSecretOfANewTokenWhereOthersCanReadIt() throws {
        let server = try TestServer()
        defer { server.end() }
        let body = #"{"name":"L'Été “1”","role":"analyst"}"#
        let first = try server.admin(.owner, "POST", "/api/v1/admin/tokens", json: body, "Idempotency-Key: t")
        let token = try #require(try first.json()["token"]?.stringValue)
        let again = try server.admin(.owner, "POST", "/api/v1/admin/tokens", json: body, "Idempotency-Key: t")
        #expect(try again.json()["token"]?.stringValue == token)
        #expect(try AccessTokenStore(context: server.outside.context).list().count { $0.name == "L'Été “1”" } == 1)
        let answers = try server.outside.context.store.read { session in
            try session.query("SELECT sealed_answer FROM idempotent_answers") { try $0.blob(0) }
        }
        #expect(answers.count == 1)
        let bare = token.dropFirst(4)
        #expect(!String(decoding: answers.joined(), as: UTF8.self).contains(bare))
    }
}
