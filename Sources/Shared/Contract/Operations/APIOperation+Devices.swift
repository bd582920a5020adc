/// Calls made by devices.
extension APIOperation {
    /// In the order of the document.
    public static let ofDevices: [APIOperation] =
        [catalogue, catalogueItem, catalogueSearch, logo, rates, suggestions] + ofAnalytics + ofAccounts + ofPremium
}
