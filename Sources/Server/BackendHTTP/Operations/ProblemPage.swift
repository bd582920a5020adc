import HTTPServer
import HTTPTypes
import SubGuardContract

/// The page at the `type` URL of a problem.
enum ProblemPage {
    static func response(for request: Request) throws -> Response {
        let name = try request.parameters.text()
        guard let code = ProblemCode(rawValue: name) else { throw HTTPFailure.notFound }
        let html = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <title>\(code.rawValue) - SubGuard</title>
            <h1>\(code.title)</h1>
            <p>Code <code>\(code.rawValue)</code>, status \(code.status).</p>
            <p>\(code.explanation.replacing("<", with: "&lt;"))</p>
            </html>

            """
        return try RenderedDocument(
            body: Array(html.utf8), contentType: "text/html; charset=utf-8", cacheControl: "public, max-age=86400",
            more: [("Content-Security-Policy", "default-src 'none'"), ("X-Content-Type-Options", "nosniff")]
        ).response(for: request)
    }
}
