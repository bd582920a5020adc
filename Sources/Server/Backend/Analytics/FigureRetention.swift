import SubGuardDomain

/// How far back the figures are kept by minute.
///
/// The longest window ends now and begins 30 × 24 h before. Ten more days cover a clock that is set back and late
/// batches.
enum FigureRetention {
    static let days = 40

    /// Moments before it are counted by the day only.
    static func horizon(at now: UTCInstant) -> UTCInstant { now.adding(days: -days) }
}
