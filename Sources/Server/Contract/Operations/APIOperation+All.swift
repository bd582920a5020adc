package import SubGuardContract

/// Every call that the server answers, in one table: routing, documentation, permissions and clients read it.
extension APIOperation {
    // Administration
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

    // Crashes
    package static let crashGroups = APIOperation(
        undeclared: .get, "/api/v1/admin/crashes", access: .permission(.metricsRead))
    package static let crashReleases = APIOperation(
        undeclared: .get, "/api/v1/admin/crashes/releases", access: .permission(.metricsRead))
    package static let crashGroup = APIOperation(
        undeclared: .get, "/api/v1/admin/crashes/{id:uuid}", access: .permission(.metricsRead))
    package static let resolveCrashGroup = APIOperation(
        undeclared: .post, "/api/v1/admin/crashes/{id:uuid}/resolve", access: .permission(.crashesWrite))
    package static let ignoreCrashGroup = APIOperation(
        undeclared: .post, "/api/v1/admin/crashes/{id:uuid}/ignore", access: .permission(.crashesWrite))
    package static let reopenCrashGroup = APIOperation(
        undeclared: .post, "/api/v1/admin/crashes/{id:uuid}/reopen", access: .permission(.crashesWrite))
    package static let deleteCrashGroup = APIOperation(
        undeclared: .delete, "/api/v1/admin/crashes/{id:uuid}", access: .permission(.crashesWrite))
    package static let decideCrashGroups = APIOperation(
        undeclared: .post, "/api/v1/admin/crashes/bulk", access: .permission(.crashesWrite))
    package static let decideCrashReleases = APIOperation(
        undeclared: .post, "/api/v1/admin/crashes/releases/bulk", access: .permission(.crashesWrite))

    /// In the order of the document.
    package static let all: [APIOperation] =
        [health] + ofService + ofDevices + ofAccess + [
            categories, adminCatalogue,
            createCatalogueItem, adminCatalogueItem, updateCatalogueItem, deleteCatalogueItem, putCatalogueLogo,
            deleteCatalogueLogo, mergeCatalogueItems, catalogueHistory, undoCatalogueChange, catalogueDuplicates,
            importCatalogue, catalogueImports, exportCatalogue, adminSuggestions, approveSuggestion, rejectSuggestion,
            reopenSuggestion, moderateSuggestions,
        ] + ofAlerts + [
            crashGroups, crashReleases, crashGroup, resolveCrashGroup, ignoreCrashGroup, reopenCrashGroup,
            deleteCrashGroup, decideCrashGroups, decideCrashReleases,
        ] + ofFigures
}
