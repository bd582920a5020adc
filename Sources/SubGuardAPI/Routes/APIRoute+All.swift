/// Every call that the server answers, in one table: routing, documentation, permissions and clients read it.
extension APIRoute {
    // Operations
    public static let health = APIRoute("GET", "/healthz")
    public static let readiness = APIRoute("GET", "/readyz")
    public static let metrics = APIRoute("GET", "/metrics")
    public static let openAPI = APIRoute("GET", "/api/v1/openapi.json")
    public static let problem = APIRoute("GET", "/problems/{code}")

    // Catalogue
    public static let catalogue = APIRoute("GET", "/api/v1/catalogue")
    public static let catalogueItem = APIRoute("GET", "/api/v1/catalogue/{id:uuid}")
    public static let catalogueSearch = APIRoute("GET", "/api/v1/catalogue/search")

    // Suggestions and analytics
    public static let suggestions = APIRoute("POST", "/api/v1/suggestions")
    public static let analytics = APIRoute("POST", "/api/v1/analytics")

    // Administration
    public static let adminCatalogue = APIRoute("GET", "/api/v1/admin/catalogue", permission: "catalogue.read")
    public static let createCatalogueItem = APIRoute(
        "POST", "/api/v1/admin/catalogue", permission: "catalogue.write")
    public static let adminCatalogueItem = APIRoute(
        "GET", "/api/v1/admin/catalogue/{id:uuid}", permission: "catalogue.read")
    public static let updateCatalogueItem = APIRoute(
        "PATCH", "/api/v1/admin/catalogue/{id:uuid}", permission: "catalogue.write")
    public static let deleteCatalogueItem = APIRoute(
        "DELETE", "/api/v1/admin/catalogue/{id:uuid}", permission: "catalogue.write")
    public static let dashboard = APIRoute("GET", "/api/v1/admin/dashboard", permission: "metrics.read")
    public static let funnel = APIRoute("GET", "/api/v1/admin/funnel", permission: "metrics.read")
    public static let cohorts = APIRoute("GET", "/api/v1/admin/cohorts", permission: "metrics.read")
    public static let ranking = APIRoute("GET", "/api/v1/admin/ranking", permission: "metrics.read")

    public static let all: [APIRoute] = [
        health, readiness, metrics, openAPI, problem,
        catalogue, catalogueItem, catalogueSearch, suggestions, analytics,
        adminCatalogue, createCatalogueItem, adminCatalogueItem, updateCatalogueItem, deleteCatalogueItem, dashboard,
        funnel, cohorts, ranking,
    ]
}
