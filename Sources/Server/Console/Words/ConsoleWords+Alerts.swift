import SubGuardDomain
import Telemetry

extension ConsoleWords {
    func phrase(_ figure: AlertFigure) -> Sentence {
        switch figure {
        case .users: "New users"
        case .activeUsers: "Active users"
        case .downloads: "Downloads"
        case .conversions: "Premium conversions"
        case .crashFreeSessions: "Crash-free sessions"
        case .events: "Accepted events"
        case .failedDeliveries: "Failed deliveries"
        case .storagePercent: "Storage in use"
        case .eventSinkLag: "Event sink lag in seconds"
        }
    }

    func phrase(_ comparison: AlertComparison) -> Sentence {
        switch comparison {
        case .below: "below"
        case .above: "above"
        case .fallsBy: "down by"
        case .risesBy: "up by"
        }
    }

    func name(_ state: AlertRule.State) -> String {
        switch state {
        case .pending: self["not measured yet"]
        case .ok: self["quiet"]
        case .firing: self["fires"]
        }
    }

    func name(_ channel: AlertChannel) -> String {
        switch channel {
        case .slack: self["Slack"]
        case .email: self["E-mail"]
        case .webhook: self["Webhook"]
        }
    }

    func name(_ state: AlertDelivery.State) -> String {
        switch state {
        case .pending: self["queued"]
        case .delivered: self["delivered"]
        case .retrying: self["retrying"]
        case .dead: self["given up"]
        }
    }

    /// What a delivery says.
    func name(_ subject: AlertDelivery.Subject) -> String {
        switch subject {
        case .threshold(let users, _): text("%1 users reached", number(users))
        case .test: self["Test message"]
        case .storage(let notice): self[notice.level == .full ? "Storage full" : "Storage nearly full"]
        case .rule(let notice):
            text(notice.isFiring ? "%1: fires" : "%1: recovered", notice.name)
        case .digest: self["Digest"]
        }
    }

    /// 99.9%, 1,200; a dash for nil.
    func value(_ value: AlertValue?, of draft: AlertRuleDraft) -> String {
        guard let value else { return "–" }
        let parts = value.text.drop { $0 == "-" }.split(separator: ".")
        guard let whole = parts.first.flatMap({ Int64($0) }) else { return value.text }
        var text = (value.thousandths < 0 ? "\u{2212}" : "") + number(whole)
        if parts.count == 2 { text += (language == .french ? "," : ".") + parts[1] }
        guard draft.isInPercent else { return text }
        return language == .french ? "\(text)\u{202F}%" : "\(text)%"
    }

    /// A measurement. A change has its direction, also in a rule for falls: +17.6%, −20%.
    func measured(_ value: AlertValue?, of draft: AlertRuleDraft) -> String {
        guard let value, draft.comparison.isChange else { return self.value(value, of: draft) }
        let change = value.change(measuredFor: draft.comparison)
        return (change.thousandths > 0 ? "+" : "") + self.value(change, of: draft)
    }

    /// 24 h, 7 days.
    func length(_ window: AlertWindow) -> String {
        guard window.text.hasSuffix("d") else { return text("%1 h", number(window.hours)) }
        return count(window.hours / 24, "%1 day|%1 days")
    }

    /// Such as "Crash-free sessions below 99.9% in the last 24 h".
    func condition(_ draft: AlertRuleDraft) -> String {
        let phrase: Sentence =
            switch draft.comparison {
            case .below: "%1 below %2"
            case .above: "%1 above %2"
            case .fallsBy: "%1 down by %2 or more"
            case .risesBy: "%1 up by %2 or more"
            }
        let condition = text(phrase, self[self.phrase(draft.figure)], value(draft.value, of: draft))
        guard let window = draft.window else { return condition }
        return text(
            draft.comparison.isChange ? "%1 in %2 against the %2 before" : "%1 in the last %2", condition,
            length(window))
    }
}

extension AlertRuleDraft {
    /// Whether its value and its measurements are percentages.
    var isInPercent: Bool { figure.isPercentage || comparison.isChange }
}
