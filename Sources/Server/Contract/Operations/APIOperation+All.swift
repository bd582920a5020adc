package import SubGuardContract

/// Every call that the server answers, in one table: routing, documentation, permissions and clients read it.
extension APIOperation {
    // Operations
    package static let readiness = APIOperation(undeclared: .get, "/readyz")
    package static let metrics = APIOperation(undeclared: .get, "/metrics")
    package static let openAPI = APIOperation(undeclared: .get, "/api/v1/openapi.json")
    package static let privacy = APIOperation(undeclared: .get, "/api/v1/privacy")
    package static let problem = APIOperation(undeclared: .get, "/problems/{code}")

    // Administration
    package static let ownToken = APIOperation(undeclared: .get, "/api/v1/admin/me", access: .token)
    package static let categories = APIOperation(undeclared: .get, "/api/v1/admin/categories", access: .token)
    package static let adminCatalogue = APIOperation(
        undeclared: .get, "/api/v1/admin/catalogue", access: .permission(.catalogueRead))
    package static let createCatalogueItem = APIOperation(
        undeclared: .post, "/api/v1/admin/catalogue", access: .permission(.catalogueWrite))
    package static let adminCatalogueItem = APIOperation(
        undeclared: .get, "/api/v1/admin/catalogue/{id:uuid}", access: .permission(.catalogueRead))
    package static let updateCatalogueItem = APIOperation(
        undeclared: .patch, "/api/v1/admin/catalogue/{id:uuid}", access: .permission(.catalogueWrite))
    package static let deleteCatalogueItem = APIOperation(
        undeclared: .delete, "/api/v1/admin/catalogue/{id:uuid}", access: .permission(.catalogueWrite))
    package static let putCatalogueLogo = APIOperation(
        undeclared: .put, "/api/v1/admin/catalogue/{id:uuid}/logo", access: .permission(.catalogueWrite),
        bodyTypes: .any)
    package static let deleteCatalogueLogo = APIOperation(
        undeclared: .delete, "/api/v1/admin/catalogue/{id:uuid}/logo", access: .permission(.catalogueWrite))
    package static let mergeCatalogueItems = APIOperation(
        undeclared: .post, "/api/v1/admin/catalogue/{id:uuid}/merge", access: .permission(.catalogueWrite))
    package static let catalogueHistory = APIOperation(
        undeclared: .get, "/api/v1/admin/catalogue/{id:uuid}/history", access: .permission(.catalogueRead))
    package static let undoCatalogueChange = APIOperation(
        undeclared: .post, "/api/v1/admin/catalogue/{id:uuid}/undo", access: .permission(.catalogueWrite))
    package static let catalogueDuplicates = APIOperation(
        undeclared: .get, "/api/v1/admin/catalogue/duplicates", access: .permission(.catalogueRead))
    package static let importCatalogue = APIOperation(
        undeclared: .post, "/api/v1/admin/catalogue/import", access: .permission(.catalogueWrite),
        bodyTypes: .catalogueFile)
    package static let catalogueImports = APIOperation(
        undeclared: .get, "/api/v1/admin/catalogue/imports", access: .permission(.catalogueRead))
    package static let exportCatalogue = APIOperation(
        undeclared: .get, "/api/v1/admin/catalogue/export", access: .permission(.catalogueRead))

    // Moderation
    package static let adminSuggestions = APIOperation(
        undeclared: .get, "/api/v1/admin/suggestions", access: .permission(.suggestionsModerate))
    package static let approveSuggestion = APIOperation(
        undeclared: .post, "/api/v1/admin/suggestions/{id:uuid}/approve", access: .permission(.suggestionsModerate))
    package static let rejectSuggestion = APIOperation(
        undeclared: .post, "/api/v1/admin/suggestions/{id:uuid}/reject", access: .permission(.suggestionsModerate))
    package static let reopenSuggestion = APIOperation(
        undeclared: .post, "/api/v1/admin/suggestions/{id:uuid}/reopen", access: .permission(.suggestionsModerate))
    package static let moderateSuggestions = APIOperation(
        undeclared: .post, "/api/v1/admin/suggestions/bulk", access: .permission(.suggestionsModerate))

    // Figures
    package static let dashboard = APIOperation(
        undeclared: .get, "/api/v1/admin/dashboard", access: .permission(.metricsRead))
    package static let funnel = APIOperation(
        undeclared: .get, "/api/v1/admin/funnel", access: .permission(.metricsRead))
    package static let cohorts = APIOperation(
        undeclared: .get, "/api/v1/admin/cohorts", access: .permission(.metricsRead))
    package static let ranking = APIOperation(
        undeclared: .get, "/api/v1/admin/ranking", access: .permission(.metricsRead))

    // Access
    package static let accessTokens = APIOperation(
        undeclared: .get, "/api/v1/admin/tokens", access: .permission(.accessManage))
    package static let createAccessToken = APIOperation(
        undeclared: .post, "/api/v1/admin/tokens", access: .permission(.accessManage))
    package static let revokeAccessToken = APIOperation(
        undeclared: .delete, "/api/v1/admin/tokens/{id:uuid}", access: .permission(.accessManage))
    package static let roles = APIOperation(undeclared: .get, "/api/v1/admin/roles", access: .permission(.accessManage))
    package static let replaceRoles = APIOperation(
        undeclared: .put, "/api/v1/admin/roles", access: .permission(.accessManage))
    package static let audit = APIOperation(undeclared: .get, "/api/v1/admin/audit", access: .permission(.auditRead))

    /// In the order of the document.
    package static let all: [APIOperation] =
        [health, readiness, metrics, openAPI, problem, privacy] + ofDevices + ofCrashReports + [postHogBatch]
        + ofApple + [
            ownToken, categories, adminCatalogue,
            createCatalogueItem, adminCatalogueItem, updateCatalogueItem, deleteCatalogueItem, putCatalogueLogo,
            deleteCatalogueLogo, mergeCatalogueItems, catalogueHistory, undoCatalogueChange, catalogueDuplicates,
            importCatalogue, catalogueImports, exportCatalogue, adminSuggestions, approveSuggestion, rejectSuggestion,
            reopenSuggestion, moderateSuggestions, accessTokens, createAccessToken, revokeAccessToken, roles,
            replaceRoles, audit,
        ] + ofAlerts + ofCrashes + [dashboard, funnel, cohorts, ranking]
}
