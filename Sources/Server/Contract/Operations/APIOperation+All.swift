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

    // Figures
    package static let dashboard = APIOperation(
        undeclared: .get, "/api/v1/admin/dashboard", access: .permission(.metricsRead))
    package static let funnel = APIOperation(
        undeclared: .get, "/api/v1/admin/funnel", access: .permission(.metricsRead))
    package static let cohorts = APIOperation(
        undeclared: .get, "/api/v1/admin/cohorts", access: .permission(.metricsRead))
    package static let ranking = APIOperation(
        undeclared: .get, "/api/v1/admin/ranking", access: .permission(.metricsRead))
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
        [health, readiness, metrics, openAPI, problem, privacy] + ofDevices + [
            ownToken
        ] + ofCatalogueEditing + ofCatalogueReview + ofCatalogueFiles + ofModeration + [
            accessTokens, createAccessToken, revokeAccessToken, roles, replaceRoles, audit,
        ] + ofAlerts + [
            crashGroups, crashReleases, crashGroup, resolveCrashGroup, ignoreCrashGroup, reopenCrashGroup,
            deleteCrashGroup, decideCrashGroups, decideCrashReleases, dashboard, funnel, cohorts, ranking,
        ]
}
