import Crypto
import Foundation
import SwiftASN1
import X509

/// A chain of three certificates like the App Store's, and a key that signs the same way.
package struct AppStoreSigner: Sendable {
    /// Defects of the chain.
    package struct Flaws: Sendable {
        package var leafMark = true
        package var intermediateMark = true
        package var intermediateIsAuthority = true
        package var intermediateMaySign = true
        /// Maximum number of authorities below the root; nil for any.
        package var rootPathLength: Int?
        package var intermediateConstrainsNames = false
        package var leafMaySign = true
        package var leafDays = -365.0...365.0
        package var intermediateDays = -1000.0...1000.0
        /// Whether the leaf is signed by another key than that of the issuer's certificate.
        package var leafByStranger = false

        package init() {}
    }

    /// DER: leaf, intermediate, root.
    package let chain: [[UInt8]]
    private let key: P256.Signing.PrivateKey

    private static let leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    private static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    /// `now` in seconds since 1970.
    package init(now: Int64, flaws: Flaws = Flaws(), name: String = "SubGuard Test") throws {
        let (root, middle, leaf) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let names = try ["Root", "Intermediate", "Leaf"].map { part in
            try DistinguishedName { CommonName("\(name) \(part)") }
        }
        func date(_ days: Double) -> Date { Date(timeIntervalSince1970: Double(now) + days * 86_400) }
        func certificate(
            _ subject: Int, of key: P256.Signing.PrivateKey, by issuer: Int, _ issuerKey: P256.Signing.PrivateKey,
            _ days: ClosedRange<Double>, _ extensions: [Certificate.Extension]
        ) throws -> [UInt8] {
            let made = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
                notValidBefore: date(days.lowerBound), notValidAfter: date(days.upperBound), issuer: names[issuer],
                subject: names[subject], signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions(extensions), issuerPrivateKey: .init(issuerKey))
            var serializer = DER.Serializer()
            try serializer.serialize(made)
            return serializer.serializedBytes
        }
        func mark(_ oid: ASN1ObjectIdentifier) -> Certificate.Extension {
            Certificate.Extension(oid: oid, critical: false, value: [0x05, 0x00])
        }
        func usage(_ usage: KeyUsage) throws -> Certificate.Extension {
            try Certificate.Extension(usage, critical: true)
        }
        func authority(_ isOne: Bool, _ length: Int? = nil) throws -> Certificate.Extension {
            try Certificate.Extension(
                isOne ? BasicConstraints.isCertificateAuthority(maxPathLength: length) : .notCertificateAuthority,
                critical: true)
        }
        func identifiers(
            _ key: P256.Signing.PrivateKey, _ issuer: P256.Signing.PrivateKey
        ) throws -> [Certificate.Extension] {
            let mine = SubjectKeyIdentifier(hash: .init(key.publicKey))
            let other = SubjectKeyIdentifier(hash: .init(issuer.publicKey))
            return [
                try Certificate.Extension(mine, critical: false),
                try Certificate.Extension(
                    AuthorityKeyIdentifier(keyIdentifier: other.keyIdentifier), critical: false),
            ]
        }
        let rootDER = try certificate(
            0, of: root, by: 0, root, -3000...3000,
            [try authority(true, flaws.rootPathLength), try usage(KeyUsage(keyCertSign: true, cRLSign: true))]
                + identifiers(root, root))
        let middleDER = try certificate(
            1, of: middle, by: 0, root, flaws.intermediateDays,
            [
                try authority(flaws.intermediateIsAuthority, flaws.intermediateIsAuthority ? 0 : nil),
                try usage(
                    flaws.intermediateMaySign
                        ? KeyUsage(keyCertSign: true, cRLSign: true) : KeyUsage(digitalSignature: true)),
            ] + (flaws.intermediateMark ? [mark(Self.intermediateMark)] : []) + identifiers(middle, root)
                + (flaws.intermediateConstrainsNames
                    ? [
                        try Certificate.Extension(
                            NameConstraints(permittedSubtrees: [.dnsName("example.com")]), critical: false)
                    ] : []))
        let leafDER = try certificate(
            2, of: leaf, by: 1, flaws.leafByStranger ? leaf : middle, flaws.leafDays,
            [
                try authority(false),
                try usage(flaws.leafMaySign ? KeyUsage(digitalSignature: true) : KeyUsage(keyAgreement: true)),
            ] + (flaws.leafMark ? [mark(Self.leafMark)] : []) + identifiers(leaf, middle))
        chain = [leafDER, middleDER, rootDER]
        key = leaf
    }

    package var rootPEM: String {
        "-----BEGIN CERTIFICATE-----\n"
            + Data(chain[2]).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            + "\n-----END CERTIFICATE-----\n"
    }

    package static func base64(_ chain: [[UInt8]]) -> String {
        "[" + chain.map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ",") + "]"
    }

    /// Signs claims, whose values are JSON. `header` replaces members of the header.
    package func sign(_ claims: [String: String], header: [String: String?] = [:]) throws -> String {
        var members: [String: String] = ["alg": "\"ES256\"", "x5c": Self.base64(chain)]
        for (name, value) in header { members[name] = value }
        let input = "\(AppleIssuer.part(members)).\(AppleIssuer.part(claims))"
        let signature = try key.signature(for: SHA256.hash(data: Array(input.utf8)))
        return "\(input).\(Base64URLText.encode(signature.rawRepresentation))"
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
