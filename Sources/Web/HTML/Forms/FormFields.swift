import TextCoding

/// The bounds of a submitted form.
package struct FormLimits: Sendable {
    /// Maximum number of fields or parts.
    package var fields = 600
    /// Maximum bytes of a name.
    package var nameBytes = 128
    /// Maximum bytes of a text value: room for 10,000 characters.
    package var valueBytes = 40_960
    /// Maximum bytes of a file.
    package var fileBytes = 1_048_576

    package init() {}
}

/// Why a form is unreadable.
package enum FormError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It breaks the syntax of its media type.
    case malformed(String)
    /// It exceeds one of ``FormLimits``, for which `%1` stands.
    case tooLarge(String, limit: Int)

    package var description: String {
        switch self {
        case .malformed(let detail): detail
        case .tooLarge(let pattern, let limit): pattern.replacing("%1", with: "\(limit)")
        }
    }
}

/// The text fields of a form in the order of the page. A name may occur several times, as for checkboxes.
package struct FormFields: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        package let name: String
        /// Lines end with a line feed.
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let fields: [Field]

    package init(_ fields: [Field] = []) { self.fields = fields }

    /// Reads `application/x-www-form-urlencoded`: pairs of a name and a value, percent-encoded UTF-8, with `+` for a
    /// blank. An empty body is a form without fields.
    package init(urlencoded body: [UInt8], limits: FormLimits = FormLimits()) throws(FormError) {
        var fields: [Field] = []
        if !body.isEmpty {
            // Counted first, so that a body of separators costs no allocation for each.
            let count = body.count { $0 == UInt8(ascii: "&") } + 1
            guard count <= limits.fields else { throw Self.tooManyFields(limits) }
            fields.reserveCapacity(count)
            for pair in body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
                guard let mark = pair.firstIndex(of: UInt8(ascii: "=")) else {
                    throw .malformed("A field of the form has no value.")
                }
                guard let name = PercentCoding.decode(pair[..<mark], plusIsSpace: true),
                    let value = PercentCoding.decode(pair[(mark + 1)...], plusIsSpace: true)
                else { throw .malformed("The form is not percent-encoded UTF-8.") }
                fields.append(try Self.field(name, value, limits))
            }
        }
        self.fields = fields
    }

    static func tooManyFields(_ limits: FormLimits) -> FormError {
        .tooLarge("The form has more than %1 fields.", limit: limits.fields)
    }

    static func field(_ name: String, _ value: String, _ limits: FormLimits) throws(FormError) -> Field {
        guard !name.isEmpty else { throw .malformed("A field of the form has no name.") }
        guard name.utf8.count <= limits.nameBytes else {
            throw .tooLarge("The name of a field has more than %1 bytes.", limit: limits.nameBytes)
        }
        guard value.utf8.count <= limits.valueBytes else {
            throw .tooLarge("The field \(name) has more than %1 bytes.", limit: limits.valueBytes)
        }
        return Field(name: name, value: withLineFeeds(value))
    }

    /// Browsers send every line end as CR LF.
    private static func withLineFeeds(_ text: String) -> String {
        guard text.utf8.contains(0x0D) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var wasReturn = false
        for octet in text.utf8 {
            if octet == 0x0D {
                bytes.append(0x0A)
            } else if !(wasReturn && octet == 0x0A) {
                bytes.append(octet)
            }
            wasReturn = octet == 0x0D
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The first value; nil if there is no field of this name.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All values of a name.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
