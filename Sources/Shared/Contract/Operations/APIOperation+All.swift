/// Every call that the server answers, in one table: routing, documentation, permissions and clients read it.
extension APIRoute {
    // Operations
    public static let health = APIRoute("GET", "/healthz")
    public static let readiness = APIRoute("GET", "/readyz")
    public static let metrics = APIRoute("GET", "/metrics")
    public static let openAPI = APIRoute("GET", "/api/v1/openapi.json")
    public static let privacy = APIRoute("GET", "/api/v1/privacy")
    public static let problem = APIRoute("GET", "/problems/{code}")

    // Catalogue
    public static let catalogue = APIRoute("GET", "/api/v1/catalogue")
    public static let catalogueItem = APIRoute("GET", "/api/v1/catalogue/{id:uuid}")
    public static let catalogueSearch = APIRoute("GET", "/api/v1/catalogue/search")

    public static let logo = APIRoute("GET", "/logos/{file}")

    // Suggestions and analytics
    public static let suggestions = APIRoute("POST", "/api/v1/suggestions")
    public static let analytics = APIRoute("POST", "/api/v1/analytics")
    public static let analyticsErasure = APIRoute("POST", "/api/v1/analytics/erasure")
    public static let crashes = APIRoute("POST", "/api/v1/crashes")
    public static let sentryEnvelope = APIRoute("POST", "/ingest/api/{project_id}/envelope/", bodyTypes: .any)
    public static let sentryStore = APIRoute("POST", "/ingest/api/{project_id}/store/", bodyTypes: .any)
    public static let postHogBatch = APIRoute("POST", "/batch/", bodyTypes: .any)

    // Accounts
    public static let signIn = APIRoute("POST", "/api/v1/auth/apple")
    public static let refreshSession = APIRoute("POST", "/api/v1/auth/refresh")
    public static let signOut = APIRoute("POST", "/api/v1/auth/sign_out", needsSession: true)
    public static let eraseAccount = APIRoute("DELETE", "/api/v1/me", needsSession: true)
    public static let appleNotifications = APIRoute("POST", "/api/v1/auth/apple/notifications")

    // Premium
    public static let verifyPremium = APIRoute("POST", "/api/v1/premium/verify", needsSession: true)
    public static let premium = APIRoute("GET", "/api/v1/premium", needsSession: true)
    public static let appStoreNotifications = APIRoute("POST", "/api/v1/app_store/notifications")

    // Administration
    public static let ownToken = APIRoute("GET", "/api/v1/admin/me", needsToken: true)
    public static let categories = APIRoute("GET", "/api/v1/admin/categories", needsToken: true)
    public static let adminCatalogue = APIRoute("GET", "/api/v1/admin/catalogue", permission: "catalogue.read")
    public static let createCatalogueItem = APIRoute(
        "POST", "/api/v1/admin/catalogue", permission: "catalogue.write")
    public static let adminCatalogueItem = APIRoute(
        "GET", "/api/v1/admin/catalogue/{id:uuid}", permission: "catalogue.read")
    public static let updateCatalogueItem = APIRoute(
        "PATCH", "/api/v1/admin/catalogue/{id:uuid}", permission: "catalogue.write")
    public static let deleteCatalogueItem = APIRoute(
        "DELETE", "/api/v1/admin/catalogue/{id:uuid}", permission: "catalogue.write")
    public static let putCatalogueLogo = APIRoute(
        "PUT", "/api/v1/admin/catalogue/{id:uuid}/logo", permission: "catalogue.write", bodyTypes: .any)
    public static let deleteCatalogueLogo = APIRoute(
        "DELETE", "/api/v1/admin/catalogue/{id:uuid}/logo", permission: "catalogue.write")
    public static let mergeCatalogueItems = APIRoute(
        "POST", "/api/v1/admin/catalogue/{id:uuid}/merge", permission: "catalogue.write")
    public static let catalogueHistory = APIRoute(
        "GET", "/api/v1/admin/catalogue/{id:uuid}/history", permission: "catalogue.read")
    public static let undoCatalogueChange = APIRoute(
        "POST", "/api/v1/admin/catalogue/{id:uuid}/undo", permission: "catalogue.write")
    public static let catalogueDuplicates = APIRoute(
        "GET", "/api/v1/admin/catalogue/duplicates", permission: "catalogue.read")
    public static let importCatalogue = APIRoute(
        "POST", "/api/v1/admin/catalogue/import", permission: "catalogue.write", bodyTypes: .catalogueFile)
    public static let catalogueImports = APIRoute(
        "GET", "/api/v1/admin/catalogue/imports", permission: "catalogue.read")
    public static let exportCatalogue = APIRoute(
        "GET", "/api/v1/admin/catalogue/export", permission: "catalogue.read")

    // Moderation
    public static let adminSuggestions = APIRoute(
        "GET", "/api/v1/admin/suggestions", permission: "suggestions.moderate")
    public static let approveSuggestion = APIRoute(
        "POST", "/api/v1/admin/suggestions/{id:uuid}/approve", permission: "suggestions.moderate")
    public static let rejectSuggestion = APIRoute(
        "POST", "/api/v1/admin/suggestions/{id:uuid}/reject", permission: "suggestions.moderate")
    public static let reopenSuggestion = APIRoute(
        "POST", "/api/v1/admin/suggestions/{id:uuid}/reopen", permission: "suggestions.moderate")
    public static let moderateSuggestions = APIRoute(
        "POST", "/api/v1/admin/suggestions/bulk", permission: "suggestions.moderate")

    // Figures
    public static let dashboard = APIRoute("GET", "/api/v1/admin/dashboard", permission: "metrics.read")
    public static let funnel = APIRoute("GET", "/api/v1/admin/funnel", permission: "metrics.read")
    public static let cohorts = APIRoute("GET", "/api/v1/admin/cohorts", permission: "metrics.read")
    public static let ranking = APIRoute("GET", "/api/v1/admin/ranking", permission: "metrics.read")
    public static let crashGroups = APIRoute("GET", "/api/v1/admin/crashes", permission: "metrics.read")
    public static let crashReleases = APIRoute("GET", "/api/v1/admin/crashes/releases", permission: "metrics.read")
    public static let crashGroup = APIRoute("GET", "/api/v1/admin/crashes/{id:uuid}", permission: "metrics.read")

    public static let resolveCrashGroup = APIRoute(
        "POST", "/api/v1/admin/crashes/{id:uuid}/resolve", permission: "crashes.write")
    public static let ignoreCrashGroup = APIRoute(
        "POST", "/api/v1/admin/crashes/{id:uuid}/ignore", permission: "crashes.write")
    public static let reopenCrashGroup = APIRoute(
        "POST", "/api/v1/admin/crashes/{id:uuid}/reopen", permission: "crashes.write")
    public static let deleteCrashGroup = APIRoute(
        "DELETE", "/api/v1/admin/crashes/{id:uuid}", permission: "crashes.write")
    public static let decideCrashGroups = APIRoute(
        "POST", "/api/v1/admin/crashes/bulk", permission: "crashes.write")
    public static let decideCrashReleases = APIRoute(
        "POST", "/api/v1/admin/crashes/releases/bulk", permission: "crashes.write")

    // Access
    public static let accessTokens = APIRoute("GET", "/api/v1/admin/tokens", permission: "access.manage")
    public static let createAccessToken = APIRoute("POST", "/api/v1/admin/tokens", permission: "access.manage")
    public static let revokeAccessToken = APIRoute(
        "DELETE", "/api/v1/admin/tokens/{id:uuid}", permission: "access.manage")
    public static let roles = APIRoute("GET", "/api/v1/admin/roles", permission: "access.manage")
    public static let replaceRoles = APIRoute("PUT", "/api/v1/admin/roles", permission: "access.manage")
    public static let audit = APIRoute("GET", "/api/v1/admin/audit", permission: "audit.read")

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
        health, readiness, metrics, openAPI, privacy, problem,
        catalogue, catalogueItem, catalogueSearch, logo, suggestions, analytics,
        analyticsErasure, crashes, sentryEnvelope, sentryStore, postHogBatch,
        signIn, refreshSession, signOut, eraseAccount, appleNotifications,
        verifyPremium, premium, appStoreNotifications,
        ownToken, categories,
        adminCatalogue, createCatalogueItem, adminCatalogueItem, updateCatalogueItem, deleteCatalogueItem,
        putCatalogueLogo, deleteCatalogueLogo, mergeCatalogueItems, catalogueHistory, undoCatalogueChange,
        catalogueDuplicates, importCatalogue, catalogueImports, exportCatalogue,
        adminSuggestions, approveSuggestion, rejectSuggestion, reopenSuggestion, moderateSuggestions,
        dashboard,
        funnel, cohorts, ranking,
        crashGroups, crashReleases, crashGroup,
        resolveCrashGroup, ignoreCrashGroup, reopenCrashGroup, deleteCrashGroup, decideCrashGroups, decideCrashReleases,
        accessTokens, createAccessToken, revokeAccessToken, roles, replaceRoles, audit,
        alerts, alertThresholds, replaceAlertThresholds, testAlerts, resendAlert,
    ]
}
