import Testing

/// Expects the text to contain each part.
func expect(_ text: String, contains parts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    for part in parts where !text.contains(part) {
        Issue.record("\"\(part)\" is not in: \(text)", sourceLocation: sourceLocation)
    }
}
