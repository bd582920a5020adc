/// What became of suggestions that were submitted together.
package struct SuggestionReceipt: Sendable, Hashable {
    package let accepted: Int
    /// Suggestions whose id was known already, or stood twice in the submission.
    package let duplicates: Int
}
