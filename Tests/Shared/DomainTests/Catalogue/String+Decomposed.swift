import Foundation

extension String {
    /// The same text with its accents as scalars of their own.
    var decomposed: String { decomposedStringWithCanonicalMapping }
}
