package import SubGuardDomain
package import SubGuardEngine

extension DisplayLanguage {
    /// An error in words; fields have their names in the language.
    package func text(_ error: DeviceStoreError) -> String {
        let named = { (fault: Fault) in fault.displayText(self) { sentence($0) } }
        switch error {
        case .invalid(let fault): return named(fault)
        case .invalidFields(let faults): return faults.map(named).joined(separator: "\n")
        case .premiumRequired(.customCategories):
            // The lines after the first say how premium is got.
            let ways = "\(error)".split(separator: "\n").dropFirst().map { sentence(String($0)) }
            return ([FieldWords.name("category", self) + colon + sentence("custom categories require premium")] + ways)
                .joined(separator: "\n")
        case .refusedRows(let rows):
            let head = "\(error)".split(separator: "\n").first.map { sentence(String($0)) } ?? ""
            return ([head] + rows.flatMap { text($0) }).joined(separator: "\n")
        case .inFile(let name, let error): return name + colon + text(error)
        default: return lines("\(error)")
        }
    }

    /// The faults of a row of a file, a line each.
    package func text(_ row: DeviceStoreError.RefusedRow) -> [String] {
        row.faults.map { fault in
            let said = fault.displayText(self) { sentence($0) }
            let number = "\(row.row)"
            return row.file.isEmpty
                ? Sentence("  row \(number): \(said)").text(self)
                : Sentence("  \(row.file), row \(number): \(said)").text(self)
        }
    }

    private func lines(_ description: String) -> String {
        description.split(separator: "\n", omittingEmptySubsequences: false)
            .map { sentence(String($0)) }.joined(separator: "\n")
    }

    /// As ``text(_:)-(DeviceStoreError)``, for any error.
    package func text(of error: any Error) -> String {
        (error as? DeviceStoreError).map { text($0) } ?? lines("\(error)")
    }
}
