import HTML
import HTTPServer
import HTTPWire
import Pages

/// A form that came without a session, so that nothing typed is lost. Its fields stand in the page that asks for the
/// code, and come back in the form that they were typed in, to be checked and sent again: never as a change.
///
/// Only a request that has passed ``AppOrigin`` gets here, so no page of another site can plant values.
struct KeptForm: Sendable {
    /// Where it was sent.
    let place: HTMLLink
    let fields: FormFields

    private static let placeName = "kept-for"
    /// Begins the names of its fields.
    private static let prefix = "kept:"
    /// Of a body, so that it is accepted once more with the longer names.
    private static let maximumBytes = 48_000
    /// Passphrases are typed again.
    private static let secrets = ["passphrase", "code", "remember"]

    private init?(_ place: String?, _ fields: [FormFields.Field]) {
        guard let place, let link = HTMLLink(checking: place), place.hasPrefix("/"), place != LaunchPages.link.text,
            !place.contains(where: { $0 == "?" || $0 == "#" }), !fields.isEmpty
        else { return nil }
        self.place = link
        self.fields = FormFields(fields)
    }

    /// The form of a request that is refused for want of a session. Nil for one that is too long, has files, or has no
    /// fields.
    init?(refused request: Request) {
        guard request.method == .post, (1...Self.maximumBytes).contains(request.body.count),
            let form = try? SubmittedForm.read(request)
        else { return nil }
        if Self.isKept(form) {
            self.init(returning: form, at: request.path)
        } else {
            self.init(request.path, form.fields.filter { !Self.secrets.contains($0.name) })
        }
    }

    /// The form that came with a code.
    init?(with code: FormFields) { self.init(code[Self.placeName], Self.kept(code)) }

    /// A form that has come back to its own address.
    init?(returning form: FormFields, at path: String) {
        guard Self.isKept(form) else { return nil }
        self.init(path, Self.kept(form))
    }

    /// Whether a form is to be shown again, and not to be carried out.
    static func isKept(_ form: FormFields) -> Bool { form[placeName] != nil }

    private static func kept(_ form: FormFields) -> [FormFields.Field] {
        form.fields.filter { $0.name.hasPrefix(prefix) }
            .map { FormFields.Field(name: String($0.name.dropFirst(prefix.count)), value: $0.value) }
    }

    /// Writes it as hidden fields.
    func write(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.hidden(Self.placeName, place.text)
        for field in fields.fields { html.hidden(Self.prefix + field.name, field.value) }
    }
}
