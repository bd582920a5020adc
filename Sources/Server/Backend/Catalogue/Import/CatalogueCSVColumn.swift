/// The columns of a catalogue file, in the order in which they are written. The raw value is the name in the header.
enum CatalogueCSVColumn: String, CaseIterable {
    case name
    case slug
    case category
    case typicalAmount = "typical_amount"
    case currency
    case billingCycle = "billing_cycle"
    case website
    case cancelURL = "cancel_url"
    case noticeDays = "notice_days"
    case aliases

    /// The field that an import leaves alone when the file has no such column; nil where the column is required.
    var optionalField: CatalogueImportRow.OptionalField? {
        switch self {
        case .website: .website
        case .cancelURL: .cancelURL
        case .noticeDays: .noticeDays
        case .aliases: .aliases
        case .name, .slug, .category, .typicalAmount, .currency, .billingCycle: nil
        }
    }
}
