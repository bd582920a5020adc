import Foundation

extension ClientError {
    /// A text from which ``init(note:)`` makes the error again: the store keeps it, and whoever reads it later chooses
    /// the language.
    package var note: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and numbers alone, which JSON can always hold.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? description
    }

    /// Nil for a text that no version like this one has noted.
    package init?(note: String) {
        guard let error = try? JSONDecoder().decode(ClientError.self, from: Data(note.utf8)) else { return nil }
        self = error
    }
}
