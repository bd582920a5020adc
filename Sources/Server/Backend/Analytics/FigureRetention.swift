import SubGuardDomain

/// How far back the figures are kept to the minute.
///
/// The longest window ends now and begins 30 × 24 h before. Ten days more, so that a clock that is set back, or a batch
/// that waited, still finds its minutes.
enum FigureRetention {
    static let days = 40

    /// Moments before it are counted by the day only.
    static func horizon(at now: UTCInstant) -> UTCInstant { now.adding(days: -days) }
}
