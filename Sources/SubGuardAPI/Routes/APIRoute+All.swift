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

    // Alerts
    public static let alerts = APIRoute("GET", "/api/v1/admin/alerts", permission: "alerts.read")
    public static let alertThresholds = APIRoute(
        "GET", "/api/v1/admin/alerts/thresholds", permission: "alerts.read")
    public static let replaceAlertThresholds = APIRoute(
        "PUT", "/api/v1/admin/alerts/thresholds", permission: "alerts.write")
    public static let testAlerts = APIRoute("POST", "/api/v1/admin/alerts/test", permission: "alerts.write")
    public static let resendAlert = APIRoute(
        "POST", "/api/v1/admin/alerts/deliveries/{id:uuid}/resend", permission: "alerts.write")

    public static let all: [APIRoute] = [
        health, readiness, metrics, openAPI, problem,
        catalogue, catalogueItem, catalogueSearch, suggestions, analytics,
        adminCatalogue, createCatalogueItem, adminCatalogueItem, updateCatalogueItem, deleteCatalogueItem, dashboard,
        alerts, alertThresholds, replaceAlertThresholds, testAlerts, resendAlert,
    ]
}
