import HTML

/// Input: one byte for the kind, then the body of a form.
enum FormFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        guard let first = input.first else { return }
        let body = Array(input.dropFirst())
        var limits = FormLimits()
        if first & 2 != 0 {
            limits.fields = 4
            limits.nameBytes = 4
            limits.valueBytes = 8
            limits.fileBytes = 8
        }
        if first & 1 == 0 { try urlEncoded(body, limits) } else { try multipart(body, limits) }
    }

    private static func urlEncoded(_ body: [UInt8], _ limits: FormLimits) throws(BrokenPromise) {
        guard let form = try? FormFields(urlencoded: body, limits: limits) else { return }
        try check(form, limits)
        try hold(form.fields.isEmpty == body.isEmpty, "a field lost or invented")
        let link = HTMLLink("x", query: form.fields.map { ($0.name, $0.value) }).text
        let written = Array(link.utf8.dropFirst(form.fields.isEmpty ? 2 : 3))
        try hold((try? FormFields(urlencoded: written)) == form, "written again, it reads as something else")
    }

    private static func multipart(_ body: [UInt8], _ limits: FormLimits) throws(BrokenPromise) {
        guard let form = try? MultipartForm(body, boundary: "b", limits: limits) else { return }
        try check(form.texts, limits)
        try hold(form.texts.fields.count + form.files.count <= limits.fields, "more parts than allowed")
        for file in form.files {
            try hold(file.content.count <= limits.fileBytes, "a file larger than allowed")
            try hold(!contains(file.content, Array("\r\n--b".utf8)), "a boundary inside a file")
        }
    }

    private static func check(_ form: FormFields, _ limits: FormLimits) throws(BrokenPromise) {
        try hold(form.fields.count <= limits.fields, "more fields than allowed")
        for field in form.fields {
            try hold((1...limits.nameBytes).contains(field.name.utf8.count), "a name outside the bounds")
            try hold(field.value.utf8.count <= limits.valueBytes, "a value larger than allowed")
            try hold(!field.value.utf8.contains(0x0D) && !field.value.utf8.contains(0), "a CR or NUL in a value")
            try hold(form[field.name] != nil, "a field that is not found by its name")
        }
    }

    private static func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: pattern) }
    }
}
