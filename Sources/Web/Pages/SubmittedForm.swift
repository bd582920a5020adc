package import HTML
package import HTTPServer
import HTTPTypes
import HTTPWire

/// Reads the form of a request.
package enum SubmittedForm {
    /// Why a body is no form.
    package enum Refusal: Error {
        /// Not `application/x-www-form-urlencoded`.
        case mediaType
        case compressed
        case malformed(FormError)
    }

    /// The fields of a form. An empty body is one without fields.
    package static func read(_ request: Request) throws(Refusal) -> FormFields {
        let type = request.head.value(of: .contentType)?.split(separator: ";").first.map { $0.filter { $0 != " " } }
        guard type?.lowercased() == "application/x-www-form-urlencoded" || request.body.isEmpty else {
            throw .mediaType
        }
        guard !request.head.contains(.contentEncoding) else { throw .compressed }
        do throws(FormError) {
            return try FormFields(urlencoded: request.body)
        } catch {
            throw .malformed(error)
        }
    }
}
