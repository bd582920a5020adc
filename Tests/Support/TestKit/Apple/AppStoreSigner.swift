import Foundation

/// A chain of three certificates like the App Store's, and a key that signs the same way.
package struct AppStoreSigner: Sendable {
    /// Defects of the chain.
    package struct Flaws: Sendable {
        package var leafMark = true
        package var intermediateMark = true
        package var intermediateIsAuthority = true
        package var intermediateMaySign = true
        /// Maximum number of authorities below the root; nil for any.
        package var rootPathLength: UInt8?
        package var intermediateConstrainsNames = false
        package var leafMaySign = true
        package var leafDays = -365.0...365.0
        package var intermediateDays = -1000.0...1000.0
        /// Whether the leaf is signed by another key than that of the issuer's certificate.
        package var leafByStranger = false
        /// The App Store signs with keys on P-256.
        package var leafKind = TestKey.Kind.p256
        package var repeatsExtension = false
        package var unknownCriticalExtension = false
        package var serial: [UInt8]?
        /// 2 for version 3.
        package var leafVersion = 2

        package init() {}
    }

    /// DER: leaf, intermediate, root.
    package let chain: [[UInt8]]
    private let key: TestKey

    /// `now` in seconds since 1970.
    package init(now: Int64, flaws: Flaws = Flaws(), name: String = "SubGuard Test") throws {
        let (root, middle, leaf) = (try TestKey(.p384), try TestKey(), try TestKey(flaws.leafKind))
        func certificate(
            _ subject: String, of key: TestKey, by issuer: String, _ issuerKey: TestKey,
            signedBy signer: TestKey? = nil,
            _ days: ClosedRange<Double>, _ extensions: [CertificateDraft.Extension],
            change: (inout CertificateDraft) -> Void = { _ in }
        ) throws -> [UInt8] {
            let validity = now + Int64(days.lowerBound * 86_400)...now + Int64(days.upperBound * 86_400)
            var draft = CertificateDraft(
                subject: "\(name) \(subject)", issuer: "\(name) \(issuer)", validity: validity,
                extensions: extensions + (try CertificateDraft.Extension.identifiers(of: key, issuer: issuerKey)))
            change(&draft)
            return try draft.signed(key, by: signer ?? issuerKey)
        }
        let rootDER = try certificate(
            "Root", of: root, by: "Root", root, -3000...3000,
            [.basicConstraints(isAuthority: true, pathLength: flaws.rootPathLength), .signsCertificates])
        let middleDER = try certificate(
            "Intermediate", of: middle, by: "Root", root, flaws.intermediateDays,
            [
                .basicConstraints(
                    isAuthority: flaws.intermediateIsAuthority, pathLength: flaws.intermediateIsAuthority ? 0 : nil),
                flaws.intermediateMaySign ? .signsCertificates : .digitalSignature,
            ] + (flaws.intermediateMark ? [.mark("1.2.840.113635.100.6.2.1")] : [])
                + (flaws.intermediateConstrainsNames ? [.nameConstraints] : []))
        let leafDER = try certificate(
            "Leaf", of: leaf, by: "Intermediate", middle, signedBy: flaws.leafByStranger ? leaf : nil, flaws.leafDays,
            [.basicConstraints(isAuthority: false), flaws.leafMaySign ? .digitalSignature : .keyAgreement]
                + (flaws.leafMark ? [.mark("1.2.840.113635.100.6.11.1")] : [])
                + (flaws.repeatsExtension ? [.mark("1.2.840.113635.100.6.11.1")] : [])
                + (flaws.unknownCriticalExtension
                    ? [CertificateDraft.Extension("1.3.6.1.4.1.55555.1", isCritical: true, [0x05, 0x00])] : [])
        ) { draft in
            if let serial = flaws.serial { draft.serial = serial }
            draft.version = flaws.leafVersion
        }
        chain = [leafDER, middleDER, rootDER]
        key = leaf
    }

    package var rootPEM: String { CertificateDraft.pem(chain[2]) }

    package static func base64(_ chain: [[UInt8]]) -> String {
        "[" + chain.map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ",") + "]"
    }

    /// Signs claims, whose values are JSON. `header` replaces members of the header.
    package func sign(_ claims: [String: String], header: [String: String?] = [:]) throws -> String {
        var members: [String: String] = ["alg": "\"ES256\"", "x5c": Self.base64(chain)]
        for (name, value) in header { members[name] = value }
        let input = "\(AppleIssuer.part(members)).\(AppleIssuer.part(claims))"
        return "\(input).\(Base64URLText.encode(Data(try key.rawSignature(of: Array(input.utf8)))))"
    }
}

/// Sample messages of the App Store as members; values are JSON.
package struct StoreSample: Sendable {
    package var bundleID = "app.example.subguard"
    package var environment = "Production"
    /// Seconds since 1970, the default for all times.
    package var now: Int64

    package init(now: Int64) { self.now = now }

    package func transaction(
        original: String = "2000000123456789", product: String = "premium.yearly", purchasedAt: Int64? = nil,
        expiresAt: Int64?? = .none, signedAt: Int64? = nil, changes: [String: String?] = [:]
    ) -> [String: String] {
        let purchasedAt = purchasedAt ?? now - 86_400
        var claims = [
            "transactionId": "\"\(original)1\"", "originalTransactionId": "\"\(original)\"",
            "bundleId": "\"\(bundleID)\"", "productId": "\"\(product)\"", "subscriptionGroupIdentifier": "\"20771234\"",
            "purchaseDate": "\(purchasedAt * 1000)", "originalPurchaseDate": "\(purchasedAt * 1000)", "quantity": "1",
            "type": "\"Auto-Renewable Subscription\"", "inAppOwnershipType": "\"PURCHASED\"",
            "signedDate": "\((signedAt ?? now) * 1000)", "environment": "\"\(environment)\"",
            "storefront": "\"FRA\"", "price": "12340", "currency": "\"EUR\"", "aFieldOfTomorrow": "{\"a\":[1.5,null]}",
        ]
        switch expiresAt {
        case .none: claims["expiresDate"] = "\((purchasedAt + 30 * 86_400) * 1000)"
        case .some(let end): claims["expiresDate"] = end.map { "\($0 * 1000)" }
        }
        for (name, value) in changes { claims[name] = value }
        return claims
    }

    package func renewal(
        original: String = "2000000123456789", signedAt: Int64? = nil, changes: [String: String?] = [:]
    ) -> [String: String] {
        var claims = [
            "originalTransactionId": "\"\(original)\"", "autoRenewProductId": "\"premium.yearly\"",
            "productId": "\"premium.yearly\"", "autoRenewStatus": "1", "environment": "\"\(environment)\"",
            "signedDate": "\((signedAt ?? now) * 1000)",
        ]
        for (name, value) in changes { claims[name] = value }
        return claims
    }

    /// The inner messages are signed already.
    package func notification(
        _ type: String, id: String, signedAt: Int64? = nil, transaction: String?, renewal: String? = nil,
        changes: [String: String?] = [:]
    ) -> [String: String] {
        var data = ["bundleId": "\"\(bundleID)\"", "environment": "\"\(environment)\"", "status": "1"]
        data["signedTransactionInfo"] = transaction.map { "\"\($0)\"" }
        data["signedRenewalInfo"] = renewal.map { "\"\($0)\"" }
        var claims = [
            "notificationType": "\"\(type)\"", "notificationUUID": "\"\(id)\"", "version": "\"2.0\"",
            "signedDate": "\((signedAt ?? now) * 1000)", "data": AppleIssuer.json(data),
        ]
        for (name, value) in changes { claims[name] = value }
        return claims
    }
}
