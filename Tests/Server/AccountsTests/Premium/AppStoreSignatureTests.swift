import Accounts
import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct AppStoreSignatureTests {
    private static let now: Int64 = 1_795_168_800  // 2026-11-20T10:00:00Z
    private let signer: AppStoreSigner
    private let sample = StoreSample(now: Self.now)

    init() throws { signer = try AppStoreSigner(now: Self.now) }

    private func messages(
        _ signer: AppStoreSigner, bundleID: String = "app.example.subguard",
        environments: Set<PurchaseEnvironment> = [.production],
        roots: AppStoreRoots? = nil
    ) throws -> AppStoreMessages {
        let roots = try roots ?? #require(AppStoreRoots(pem: [signer.rootPEM]))
        return AppStoreMessages(
            rules: AppStoreMessages.Rules(bundleID: bundleID, environments: environments), roots: roots,
            now: { UTCInstant(secondsSinceEpoch: Self.now) })
    }

    private func refusal(_ text: String, _ messages: AppStoreMessages) -> String? {
        do {
            _ = try AppStoreTransaction(text, messages: messages)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func takesWhatTheStoreSigned() throws {
        let messages = try messages(signer)
        let text = try signer.sign(
            sample.transaction(changes: ["appAccountToken": "\"6A1F0C3E-9D2B-8F47-A5C6-0E7D1B2A3C4F\""]))
        // Twice: the second time the chain is cached.
        for _ in 0..<2 {
            let found = try AppStoreTransaction(text, messages: messages)
            #expect(found.originalTransactionID == "2000000123456789")
            #expect(found.transaction.productID == "premium.yearly")
            #expect(found.transaction.signedAt == UTCInstant(secondsSinceEpoch: Self.now))
            #expect(found.accountToken?.uuidString == "6A1F0C3E-9D2B-8F47-A5C6-0E7D1B2A3C4F")
            #expect(found.givesPremium)
        }
    }

    @Test(arguments: [
        ("alg", "\"none\"", "another algorithm"), ("alg", "\"HS256\"", "another algorithm"),
        ("alg", "\"RS256\"", "another algorithm"), ("alg", "\"ES384\"", "another algorithm"),
        ("alg", nil, "not a signed message"), ("crit", "[\"x\"]", "not a signed message"),
        ("x5c", nil, "not three certificates"), ("x5c", "[]", "not three certificates"),
        ("x5c", "\"a\"", "not three certificates"), ("x5c", "[1,2,3]", "not certificates"),
        ("x5c", "[\"\",\"\",\"\"]", "not certificates"), ("x5c", "[\"AAAA\",\"AAAA\",\"AAAA\"]", "another root"),
    ])
    func refusesOtherHeaders(_ name: String, _ value: String?, _ reason: String) throws {
        let text = try signer.sign(sample.transaction(), header: [name: value])
        #expect(refusal(text, try messages(signer)) == reason)
    }

    @Test func refusesOtherChains() throws {
        let messages = try messages(signer)
        let (leaf, middle, root) = (signer.chain[0], signer.chain[1], signer.chain[2])
        let stranger = try AppStoreSigner(now: Self.now)
        func with(_ chain: [[UInt8]]) throws -> String? {
            refusal(try signer.sign(sample.transaction(), header: ["x5c": AppStoreSigner.base64(chain)]), messages)
        }
        #expect(try with([leaf, middle, root]) == nil)
        #expect(try with([leaf, middle]) == "not three certificates")
        #expect(try with([leaf, middle, root, root]) == "not three certificates")
        #expect(try with([root, middle, leaf]) == "another root")
        #expect(try with([middle, leaf, root]) != nil)
        let invalid = "the certificate chain is not valid: "
        #expect(try with([leaf, root, root]) == invalid + "a mark is missing")
        #expect(try with([leaf, leaf, root]) == invalid + "an issuer is no authority, or for a shorter chain only")
        #expect(try with([leaf, stranger.chain[1], root]) == invalid + "unable to get local issuer certificate")
        #expect(
            try with([stranger.chain[0], stranger.chain[1], root]) == invalid + "unable to get local issuer certificate"
        )
        #expect(try with(stranger.chain) == "another root")
        #expect(try with([middle, root, root]) == invalid + "the key may not sign messages")
        #expect(try with([leaf, middle, root + [0]]) == "another root")
        let spaced = AppStoreSigner.base64(signer.chain).replacing("\",\"", with: "\\n\",\"")
        #expect(refusal(try signer.sign(sample.transaction(), header: ["x5c": spaced]), messages) == "not certificates")
        let urlSafe = AppStoreSigner.base64(signer.chain).replacing("+", with: "-").replacing("/", with: "_")
        #expect(
            refusal(try signer.sign(sample.transaction(), header: ["x5c": urlSafe]), messages) == "not certificates")
    }

    @Test func trustsApplesRootUnlessToldOtherwise() throws {
        let text = try signer.sign(sample.transaction())
        #expect(refusal(text, try messages(signer, roots: .apple)) == "another root")
        for text in ["", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            #expect(AppStoreRoots(pem: [text]) == nil, "\(text)")
        }
        #expect(AppStoreRoots(pem: []) == nil)
        let several = try #require(AppStoreRoots(pem: [try AppStoreSigner(now: Self.now).rootPEM + signer.rootPEM]))
        #expect(refusal(text, try messages(signer, roots: several)) == nil)
    }

    /// Each flaw with the reason in the log.
    private static let flaws: [(String, @Sendable (inout AppStoreSigner.Flaws) -> Void)] = [
        ("a mark is missing", { $0.leafMark = false }), ("a mark is missing", { $0.intermediateMark = false }),
        (
            "an issuer is no authority, or for a shorter chain only",
            { $0.intermediateIsAuthority = false }
        ),
        ("an issuer may not sign certificates", { $0.intermediateMaySign = false }),
        ("an issuer is no authority, or for a shorter chain only", { $0.rootPathLength = 0 }),
        ("a certificate constrains names", { $0.intermediateConstrainsNames = true }),
        ("the key may not sign messages", { $0.leafMaySign = false }),
        ("certificate has expired", { $0.leafDays = -30...(-1) }),
        ("certificate is not yet valid", { $0.leafDays = 1...30 }),
        ("certificate has expired", { $0.intermediateDays = -30...(-1) }),
        ("certificate signature failure", { $0.leafByStranger = true }),
        ("the key is not on P-256", { $0.leafKind = .p384 }), ("the key is not on P-256", { $0.leafKind = .rsa2048 }),
        ("an extension is repeated", { $0.repeatsExtension = true }),
        ("an unknown extension is critical", { $0.unknownCriticalExtension = true }),
        ("a serial number of more than 20 bytes", { $0.serial = Array(repeating: 1, count: 21) }),
        ("not of version 3", { $0.leafVersion = 0 }),
    ]

    @Test(arguments: 0..<flaws.count) func refusesFlawedChains(_ index: Int) throws {
        var flaws = AppStoreSigner.Flaws()
        Self.flaws[index].1(&flaws)
        let flawed = try AppStoreSigner(now: Self.now, flaws: flaws)
        // A key of another kind signs in another form, but the chain is looked at first.
        let text = try AppStoreSigner(now: Self.now).sign(
            sample.transaction(), header: ["x5c": AppStoreSigner.base64(flawed.chain)])
        #expect(
            refusal(text, try messages(flawed)) == "the certificate chain is not valid: \(Self.flaws[index].0)")
    }

    /// Validity is checked at the time of the signature, also for a cached chain.
    @Test func looksAtTheMomentOfTheSignature() throws {
        var flaws = AppStoreSigner.Flaws()
        flaws.leafDays = -30...(-1)
        let old = try AppStoreSigner(now: Self.now, flaws: flaws)
        let messages = try messages(old)
        let day: Int64 = 86_400
        #expect(refusal(try old.sign(sample.transaction(signedAt: Self.now - 10 * day)), messages) == nil)
        #expect(refusal(try old.sign(sample.transaction(signedAt: Self.now)), messages) != nil)
        #expect(refusal(try old.sign(sample.transaction(signedAt: Self.now - 31 * day)), messages) != nil)
        #expect(refusal(try old.sign(sample.transaction(signedAt: Self.now - 10 * day)), messages) == nil)
    }

    @Test func refusesWhatWasTouched() throws {
        let messages = try messages(signer)
        let parts = try signer.sign(sample.transaction()).split(separator: ".").map(String.init)
        let other = try signer.sign(sample.transaction(product: "premium.lifetime")).split(separator: ".").map(
            String.init)
        #expect(refusal("\(parts[0]).\(other[1]).\(parts[2])", messages) == "wrong signature")
        #expect(refusal("\(parts[0]).\(parts[1]).AAAA", messages) == "wrong signature")
        #expect(refusal("\(parts[0]).\(parts[1]).", messages) == "not a signed message")
        #expect(refusal("", messages) == "not a signed message")
    }

    @Test(arguments: [
        ("bundleId", "\"app.example.other\"", "another app"), ("bundleId", nil, "another app"),
        ("environment", "\"Sandbox\"", "another environment"), ("environment", "\"Xcode\"", "another environment"),
        ("environment", "\"LocalTesting\"", "another environment"), ("environment", nil, "another environment"),
        ("signedDate", nil, "signed in the future, or without a date"),
        ("signedDate", "99999999999999", "signed in the future, or without a date"),
        ("signedDate", "\"1\"", "signed in the future, or without a date"),
        ("originalTransactionId", nil, "not a transaction"),
        ("originalTransactionId", "\"\"", "not a transaction"), ("productId", nil, "not a transaction"),
        ("purchaseDate", nil, "not a transaction"), ("appAccountToken", "\"me\"", "not an account token"),
    ])
    func refusesOtherClaims(_ name: String, _ value: String?, _ reason: String) throws {
        let text = try signer.sign(sample.transaction(changes: [name: value]))
        #expect(refusal(text, try messages(signer)) == reason)
    }

    @Test(arguments: [
        ("\"Consumable\"", false), ("\"Non-Renewing Subscription\"", false), ("\"Non-Consumable\"", true), (nil, true),
        ("\"Auto-Renewable Subscription\"", true), ("\"Something New\"", false),
    ])
    func knowsWhatGivesPremium(_ type: String?, _ gives: Bool) throws {
        let text = try signer.sign(sample.transaction(changes: ["type": type]))
        #expect(try AppStoreTransaction(text, messages: try messages(signer)).givesPremium == gives)
    }
}
