/// The calls that devices make.
extension APIOperation {
    // Catalogue
    public static let catalogue = APIOperation(undeclared: .get, "/api/v1/catalogue")
    public static let catalogueItem = APIOperation(undeclared: .get, "/api/v1/catalogue/{id:uuid}")
    public static let catalogueSearch = APIOperation(undeclared: .get, "/api/v1/catalogue/search")
    public static let logo = APIOperation(undeclared: .get, "/logos/{file}")

    // Suggestions
    public static let suggestions = APIOperation(undeclared: .post, "/api/v1/suggestions")

    /// In the order of the document.
    public static let ofDevices: [APIOperation] =
        [catalogue, catalogueItem, catalogueSearch, logo, suggestions] + ofAnalytics + ofAccounts + ofPremium
}
