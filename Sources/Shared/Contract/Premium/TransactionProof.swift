package import JSONWire
package import SubGuardDomain

/// The body of `POST /api/v1/premium/verify`.
public struct TransactionProof: Sendable, Hashable {
    /// A transaction of StoreKit 2 as the App Store signed it (`jwsRepresentation`).
    public let signedTransaction: String

    public init(signedTransaction: String) { self.signedTransaction = signedTransaction }

    /// Throws ``FaultList`` with every fault.
    package init(_ object: JSONObject) throws(FaultList) {
        var fields = FieldReader(object, known: ["signed_transaction"], unknown: .refused)
        let transaction = fields.string("signed_transaction", maximumBytes: WireLimits.signedTransactionBytes)
        guard fields.faults.isEmpty, let transaction else { throw fields.faults }
        self.init(signedTransaction: transaction)
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("signed_transaction", signedTransaction)
        writer.endObject()
    }
}
