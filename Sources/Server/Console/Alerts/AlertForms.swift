import Backend
import ServerContract
import SubGuardContract

/// The forms of alerts, made from the contract.
package enum AlertForms {
    private static let fields: [DeclaredForm.Field] = [
        .init("name", .alertName, isWide: true),
        .init(
            "figure", .alertFigure,
            names: Dictionary(
                uniqueKeysWithValues: AlertFigure.allCases.map { ($0.rawValue, ConsoleWords(.english).phrase($0)) })),
        .init(
            "comparison", .alertComparison,
            names: Dictionary(
                uniqueKeysWithValues: AlertComparison.allCases.map { ($0.rawValue, ConsoleWords(.english).phrase($0)) })
        ),
        .init("value", .alertLimit, hint: .alertLimitHint),
        .init("window", .alertWindow, hint: .alertWindowHint, placeholder: "24h"),
        .init("minimum_sample", .alertSample, hint: .alertSampleHint),
        .init("muted_until", .alertMute, hint: .alertMuteHint),
    ]

    /// Windows that are offered while typing.
    static let windows = ["1h", "6h", "24h", "7d", "30d"]

    package static let newRule = DeclaredForm(FormDeclaration(of: .createAlertRule), fields)
    package static let rule = DeclaredForm(FormDeclaration(of: .replaceAlertRule), fields)
    package static let thresholds = DeclaredForm(
        FormDeclaration(of: .replaceAlertThresholds),
        [.init("thresholds", .alertThresholds, hint: .alertThresholdsHint)])
}
