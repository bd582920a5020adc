import SubGuardEngine

/// When the app becomes active. Keep the session, and call its `end()` when the app goes to the background. Nil when
/// nothing is recorded.
nonisolated func begin(_ store: DeviceStore) throws -> RunningSession? {
    try store.analytics.recordOpening(at: .current)
    return try store.signals.begin(version: Online.version, watchesFaults: true, at: .current)
}

/// For what MetricKit delivers, innermost function first.
nonisolated func report(_ type: String, in functions: [String], to store: DeviceStore) throws {
    let frames = functions.map { CrashDetails.Frame(function: $0, isOwn: true) }
    let crash = CrashDetails(type: type, frames: frames, platform: "ios")
    try store.signals.report(crash, version: Online.version, at: .current)
}
