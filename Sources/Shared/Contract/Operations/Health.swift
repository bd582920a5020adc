extension APIOperation {
    public static let health = APIOperation(
        .get, "/healthz", "getHealth", tag: .operations, access: .open, summary: "Check that the process responds",
        "For process supervisors. It checks nothing else and is never rate-limited.",
        answers: [.json(Health.self, "The process responds.")],
        traits: [.unconditional, .unlimited, .immediate, .anyQuery])
}

/// The response of ``APIOperation/health``.
package struct Health: WireObject {
    package init() {}

    package static let wire = WireSchema<Health>(
        "Health", make: { _ in Health() }, Field("status", { _ in "ok" }, .constant("ok")))
}
