import Backend
import SubGuardDomain

/// What the figures count.
extension ConsoleWords {
    func definition(_ figure: Dashboard.Name) -> String { translated(figure.definition) }

    func definition(_ figure: SeriesFigure) -> String { translated(figure.definition) }

    func definition(_ funnel: Funnel) -> String {
        let whole: Sentence =
            "Users, each once, whose signup lies on these days and who have reached the stage at "
            + "any time. The signup is the time of the download event, or of the earliest event "
            + "without one. Stages are independent, so a stage may exceed the one before."
        if funnel.window == nil, funnel.dimension == nil { return self[whole] }
        guard language != .english else { return funnel.definition }
        var sentences = [self[whole]]
        if let window = funnel.window {
            sentences = [
                text(
                    "Users whose signup lies on these days and who reached the stage at most %1 days after it.",
                    number(Int64(window.days))),
                text(
                    "Users of today and of the %1 days before may still reach a stage in time.",
                    number(Int64(window.days))),
            ]
        }
        switch funnel.dimension {
        case .platform: sentences.append(self["The platform is that of the earliest event."])
        case .appVersion: sentences.append(self["The app version is that of the earliest event."])
        case nil: break
        }
        return sentences.joined(separator: " ")
    }
}
