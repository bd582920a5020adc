import HTML
import HTTPServer
import HTTPTypes
import SubGuardContract

/// The page at the `type` URL of a problem.
enum ProblemPage {
    static func response(for request: Request) throws -> Response {
        let name = try request.parameters.text()
        guard let code = ProblemCode(rawValue: name) else { throw HTTPFailure.notFound }
        var html = HTMLWriter(capacity: 1024)
        html.doctype()
        html.add(.html, .lang("en")) { html in
            html.add(.head) { html in
                html.add(.meta, .charset("utf-8"))
                html.add(.title, text: "\(code.rawValue) - SubGuard")
            }
            html.add(.body) { html in
                html.add(.h1, text: code.title)
                html.add(.p) { html in
                    html.text("Code ")
                    html.add(.code, text: code.rawValue)
                    html.text(", status \(code.status).")
                }
                html.add(.p, text: code.explanation)
            }
        }
        return try RenderedDocument(
            body: html.bytes, contentType: "text/html; charset=utf-8", cacheControl: "public, max-age=86400",
            more: [("Content-Security-Policy", "default-src 'none'"), ("X-Content-Type-Options", "nosniff")]
        ).response(for: request)
    }
}
