import SubGuardDomain

/// What deliveries of alerts say when they fail.
extension ConsoleWords {
    /// Why a delivery failed, from the English text that is stored. Nil for a text of a library or of the other server,
    /// which is shown as it is: it is what one searches for.
    func deliveryError(_ stored: String) -> String? {
        guard language != .english else { return stored }
        guard let sentence = sentence(saying: stored) else {
            return stored.wholeMatch(of: /HTTP [0-9]{3}( [a-z_]+)?/) == nil ? nil : stored
        }
        let values = sentence.values.map { deliveryError($0.text) ?? $0.text }
        return said(Sentence(pattern: sentence.pattern, values: values.map { .text($0) }))
    }
}
