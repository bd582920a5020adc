import Foundation
import GRDB

/// A row of our table, read by position: GRDB's fastest method, faster than its Codable records.
struct CatalogueRecord: FetchableRecord, Encodable {
    static let columns = """
        id, slug, name, category, typical_amount_minor_units, currency, billing_cycle, website, logo_url, cancel_url,
        notice_days, aliases, updated_at
        """
    private static let currenciesWithoutMinorUnits: Set<String> = ["JPY", "KRW", "VND", "CLP", "ISK"]

    let id: UUID
    let name: String
    let slug: String
    let category: String
    let typicalAmount: String
    let currency: String
    let billingCycle: String
    let website: String?
    let logoURL: String?
    let cancelURL: String?
    let noticeDays: Int?
    let aliases: [String]
    let updatedAt: Date

    enum CodingKeys: String, CodingKey {
        case id, name, slug, category, currency, website, aliases
        case typicalAmount = "typical_amount"
        case billingCycle = "billing_cycle"
        case logoURL = "logo_url"
        case cancelURL = "cancel_url"
        case noticeDays = "notice_days"
        case updatedAt = "updated_at"
    }

    init(row: Row) throws {
        id = row[0]
        slug = row[1]
        name = row[2]
        category = row[3]
        currency = row[5]
        let minorUnits: Int = row[4]
        let fraction = minorUnits % 100
        typicalAmount =
            Self.currenciesWithoutMinorUnits.contains(currency)
            ? "\(minorUnits)" : "\(minorUnits / 100).\(fraction < 10 ? "0" : "")\(fraction)"
        billingCycle = row[6]
        website = row[7]
        logoURL = row[8]
        cancelURL = row[9]
        noticeDays = row[10]
        let list: String = row[11]
        aliases = list == "[]" ? [] : try JSONDecoder().decode([String].self, from: Data(list.utf8))
        updatedAt = Date(timeIntervalSince1970: Double(row[12] as Int64) / 1_000)
    }

    /// Writes absent values as null, as in our response; the synthesised method omits them.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(slug, forKey: .slug)
        try container.encode(category, forKey: .category)
        try container.encode(typicalAmount, forKey: .typicalAmount)
        try container.encode(currency, forKey: .currency)
        try container.encode(billingCycle, forKey: .billingCycle)
        try container.encode(website, forKey: .website)
        try container.encode(logoURL, forKey: .logoURL)
        try container.encode(cancelURL, forKey: .cancelURL)
        try container.encode(noticeDays, forKey: .noticeDays)
        try container.encode(aliases, forKey: .aliases)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
