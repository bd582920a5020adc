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
    public static let crashes = APIRoute("POST", "/api/v1/crashes")
    public static let sentryEnvelope = APIRoute("POST", "/ingest/api/{project_id}/envelope/")
    public static let postHogBatch = APIRoute("POST", "/batch/")

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
    public static let crashGroups = APIRoute("GET", "/api/v1/admin/crashes", permission: "metrics.read")
    public static let crashReleases = APIRoute("GET", "/api/v1/admin/crashes/releases", permission: "metrics.read")
    public static let crashGroup = APIRoute("GET", "/api/v1/admin/crashes/{id:uuid}", permission: "metrics.read")

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
        catalogue, catalogueItem, catalogueSearch, suggestions, analytics, crashes, sentryEnvelope, postHogBatch,
        adminCatalogue, createCatalogueItem, adminCatalogueItem, updateCatalogueItem, deleteCatalogueItem, dashboard,
        funnel, cohorts, ranking,
        crashGroups, crashReleases, crashGroup,
        alerts, alertThresholds, replaceAlertThresholds, testAlerts, resendAlert,
    ]
}
