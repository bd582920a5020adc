import Foundation
import SubGuardDomain
import SubGuardEngine

/// Reads the arguments of a command, so that all wrong ones are named at once, each with its field.
struct ArgumentReader {
    private var faults = FaultList()

    /// The value, or nil after its fault was noted.
    ///
    /// - Parameter field: the name for an id or name that is not found.
    mutating func read<Value>(_ field: String, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let fault as Fault {
            faults.note(fault)
        } catch let error as DeviceStoreError {
            switch error {
            case .invalid, .invalidFields: for fault in error.faults { faults.note(fault) }
            case .notFound(let entity, let id):
                let fault = Fault(field, .notFound, "no such \(entity.rawValue): \(id)")
                // Alone, it is said as everywhere else.
                if faults.isEmpty { missing = error }
                faults.note(fault)
            default: throw error
            }
        }
        return nil
    }

    /// The error of the only argument that was wrong, when it is one of an id.
    private var missing: DeviceStoreError?

    /// An amount in a currency given by its code. A wrong currency does not hide a wrong amount.
    mutating func money(_ session: Session, _ text: String, _ currency: String) throws -> Money? {
        let known = try read("currency") {
            try FieldRules.currency(currency)
        }
        // Any currency with as many decimals as there can be.
        let code = known?.code ?? "KWD"
        let amount = try read("amount") { try session.money(text, code) }
        return known == nil ? nil : amount
    }

    mutating func name(_ session: Session, _ text: String, field: String) throws {
        _ = try read(field) { try FieldRules.name(text, field: field) }
    }

    /// Throws when anything was wrong.
    func finish() throws {
        if faults.total == 1, let missing { throw missing }
        if let error = DeviceStoreError.of(faults) { throw error }
    }
}
