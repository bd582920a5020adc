public import SubGuardDomain

extension DeviceStoreError {
    /// The error for the user; fields have their names in the language. One line for each of several faults.
    public func displayText(_ language: DisplayLanguage) -> String {
        switch self {
        case .invalid(let fault): return fault.displayText(language)
        case .invalidFields(let faults): return faults.map { $0.displayText(language) }.joined(separator: "\n")
        case .premiumRequired(.customCategories):
            // The lines after the first say how premium is got.
            let ways = description.split(separator: "\n").dropFirst().map { language.sentence(String($0)) }
            let what = language.sentence("custom categories require premium")
            return ([FieldWords.name("category", language) + language.colon + what] + ways).joined(separator: "\n")
        case .refusedRows(let rows):
            let head = description.split(separator: "\n").first.map { language.sentence(String($0)) } ?? ""
            return ([head] + rows.flatMap { $0.displayLines(language) }).joined(separator: "\n")
        case .inFile(let name, let error): return name + language.colon + error.displayText(language)
        default: return language.lines(description)
        }
    }
}

extension DeviceStoreError.RefusedRow {
    /// The faults of the row, a line each.
    package func displayLines(_ language: DisplayLanguage) -> [String] {
        faults.map { fault in
            let said = fault.displayText(language)
            let number = "\(row)"
            return file.isEmpty
                ? Sentence("  row \(number): \(said)").text(language)
                : Sentence("  \(file), row \(number): \(said)").text(language)
        }
    }
}
