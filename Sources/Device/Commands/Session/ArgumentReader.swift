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
            if let unknown = UnknownReference(field, error) {
                // Alone, it is said as everywhere else.
                if faults.isEmpty { self.unknown = unknown }
                faults.note(unknown.fault)
            } else if error.faults.isEmpty {
                throw error
            } else {
                for fault in error.faults { faults.note(fault) }
            }
        }
        return nil
    }

    /// The only argument that was wrong, when it is an id.
    private var unknown: UnknownReference?

    /// Notes the faults of fields that have none yet.
    mutating func check(_ body: () throws(FaultList) -> Void) {
        do throws(FaultList) {
            try body()
        } catch {
            let known = Set(faults.map(\.pointer))
            for fault in error where !known.contains(fault.pointer) { faults.note(fault) }
        }
    }

    /// People by names or ids, separated by commas; nil after a fault was noted.
    mutating func people(_ session: Session, _ list: String, field: String) throws -> [UUID]? {
        var people: [UUID?] = []
        for name in list.split(separator: ",") {
            people.append(try read(field) { try session.personID(String(name)) })
        }
        return people.contains(nil) ? nil : people.compactMap { $0 }
    }

    /// `ID=value` pairs separated by commas, in order; nil after a fault was noted.
    mutating func values(
        _ session: Session, _ list: String, field: String
    ) throws -> [(person: UUID, value: String)]? {
        let parts = list.split(separator: ",")
        var values: [(person: UUID, value: String)] = []
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let person = try read(field) {
                guard pair.count == 2 else {
                    throw Fault(field, .invalidFormat, "Must be ID=value, separated by commas.")
                }
                return try session.personID(String(pair[0]))
            }
            if let person { values.append((person, String(pair[1]))) }
        }
        return values.count == parts.count ? values : nil
    }

    /// An amount greater than 0 in a currency given by its code. A wrong currency does not hide a wrong amount.
    mutating func money(_ session: Session, _ text: String, _ currency: String) throws -> Money? {
        let known = try read("currency") {
            try FieldRules.currency(currency)
        }
        // Any currency with as many decimals as there can be.
        let code = known?.code ?? "KWD"
        let amount = try read("amount") { try FieldRules.positive(try session.money(text, code), field: "amount") }
        return known == nil ? nil : amount
    }

    mutating func name(_ session: Session, _ text: String, field: String) throws {
        _ = try read(field) { try FieldRules.name(text, field: field) }
    }

    /// Throws when anything was wrong.
    func finish() throws {
        if faults.total == 1, let unknown { throw unknown }
        if let error = DeviceStoreError.of(faults) { throw error }
    }
}

/// A name or id in an option that stands for nothing.
struct UnknownReference: Error {
    /// As it is said of an argument.
    let error: DeviceStoreError
    /// The same, with the name of the option.
    let fault: Fault

    /// Nil for another error.
    init?(_ field: String, _ error: DeviceStoreError) {
        guard case .notFound(let entity, let id) = error else { return nil }
        self.error = error
        fault = Fault(field, .notFound, "no such \(entity.rawValue): \(id)")
    }

    /// Reads what an option names.
    static func naming<Value>(_ field: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DeviceStoreError {
            if let unknown = UnknownReference(field, error) { throw unknown }
            throw error
        }
    }
}
