package import JSONWire

/// The body of `POST /api/v1/premium/verify`.
public struct TransactionProof: Sendable, Hashable {
    /// A transaction of StoreKit 2 as the App Store signed it (`jwsRepresentation`).
    public let signedTransaction: String

    public init(signedTransaction: String) { self.signedTransaction = signedTransaction }

    /// Throws ``FieldProblems`` with every fault.
    package init(_ object: JSONObject) throws(FieldProblems) {
        var fields = FieldReader(object, known: ["signed_transaction"], unknown: .refused)
        let transaction = fields.string("signed_transaction", maximumBytes: WireLimits.signedTransactionBytes)
        guard fields.problems.isEmpty, let transaction else { throw FieldProblems(fields.problems) }
        self.init(signedTransaction: transaction)
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("signed_transaction", signedTransaction)
        writer.endObject()
    }
}
