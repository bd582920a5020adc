import HTML
import JSONWire
import SubGuardDomain
import Telemetry

/// A stored report: exceptions with their stacks, device, system, and the report itself.
struct CrashReportView {
    private let sample: CrashGroup.Sample
    private let report: JSONValue
    private let isOpen: Bool

    init(_ sample: CrashGroup.Sample, isOpen: Bool) {
        self.sample = sample
        self.isOpen = isOpen
        report = (try? JSONValue.parse(Array(sample.body.utf8))) ?? .null
    }

    func write(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.details, .class("report"), isOpen ? .open : nil) { html in
            html.add(.summary) { html in
                html.instant(sample.occurredAt, words)
                let about = [text("release"), join("contexts", "os", ["name", "version"]), device]
                    .compactMap(\.self).joined(separator: " · ")
                html.muted(about.isEmpty ? "" : " · " + about)
            }
            writeFacts(words, to: &html)
            if let message = text("message") ?? text("logentry", "formatted") ?? text("logentry", "message") {
                html.add(.p, .class("message")) { $0.bdi(message) }
            }
            // The last one is the one that was thrown last; the others are its causes.
            for exception in (value("exception", "values")?.arrayValue ?? []).reversed() {
                write(exception, words, to: &html)
            }
            if let trace = report["stacktrace"] { write(trace: trace, words, to: &html) }
            html.add(.details, .class("what")) { html in
                html.add(.summary, text: words["The report as it is stored (JSON)"])
                html.add(.pre, .tabindex(0), text: sample.body)
            }
        }
    }

    // MARK: Values

    private func value(_ path: String...) -> JSONValue? { value(path) }

    private func value(_ path: [String]) -> JSONValue? { path.reduce(report) { $0?[$1] } }

    private func text(_ path: String...) -> String? { value(path)?.stringValue }

    /// Texts of an object, separated by blanks.
    private func join(_ first: String, _ second: String, _ names: [String]) -> String? {
        let texts = names.compactMap { value([first, second, $0])?.stringValue }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    private var device: String? { text("contexts", "device", "model") ?? text("contexts", "device", "family") }

    // MARK: Parts

    private func writeFacts(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let build = text("contexts", "app", "app_build") ?? text("dist")
        let app = [text("contexts", "app", "app_version") ?? text("release"), build.map { "(\($0))" }]
            .compactMap(\.self).joined(separator: " ")
        let facts: [(Sentence, String?)] = [
            ("Device", join("contexts", "device", ["model", "family", "arch"])),
            ("System", join("contexts", "os", ["name", "version"])),
            ("App", app.isEmpty ? nil : app),
            ("Runtime", join("contexts", "runtime", ["name", "version"])),
            ("Environment", text("environment")),
            (
                "Reported with",
                [text("sdk", "name"), text("sdk", "version")].compactMap(\.self).joined(separator: " ")
            ),
        ]
        html.facts(
            facts.map { name, text in
                text.flatMap { text in text.isEmpty ? nil : Fact(words[name]) { $0.bdi(text) } }
            }, style: "factline")
    }

    private func write(_ exception: JSONValue, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.h3) { html in
            html.add(.bdi, text: exception["type"]?.stringValue ?? "?")
            if let isHandled = exception["mechanism"]?["handled"]?.boolValue {
                html.text(" ")
                html.rating(words[isHandled ? "handled" : "not handled"], isGood: isHandled ? nil : false)
            }
        }
        if let value = exception["value"]?.stringValue {
            html.add(.p, .class("message")) { $0.bdi(value) }
        }
        if let trace = exception["stacktrace"] { write(trace: trace, words, to: &html) }
    }

    private func write(trace: JSONValue, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let frames = trace["frames"]?.arrayValue ?? []
        guard !frames.isEmpty else { return }
        let title = words["Stack, innermost frame first"]
        html.table(
            .label(title), caption: title, style: "stack-trace", of: frames.reversed(),
            row: { isOwn($0) ? .class("own") : nil },
            [
                .text(words["Function"], isLabelled: false) { frame, html in
                    html.add(.code, text: place(of: frame))
                    guard isOwn(frame) else { return }
                    html.text(" ")
                    html.rating(words["own code"])
                },
                .text(words["File"], isLabelled: false) { frame, html in writePlaces(of: frame, to: &html) },
            ])
    }

    private func isOwn(_ frame: JSONValue) -> Bool { frame["in_app"]?.boolValue ?? false }

    private func writePlaces(of frame: JSONValue, to html: inout HTMLWriter) {
        let line = frame["lineno"]?.integerValue.map { ":\($0)" } ?? ""
        // Where the code is, then what finds it in the image.
        let file = frame["filename"]?.stringValue.map { $0 + line }
        let address = frame["function"] == nil ? nil : address(of: frame)
        let places = [file, address, file == nil || address == nil ? image(of: frame) : nil].compactMap(\.self)
        html.add(.code, text: places.first ?? "")
        for place in places.dropFirst() {
            html.text(" ")
            html.add(.code, .class("muted"), text: place)
        }
    }

    private func place(of frame: JSONValue) -> String {
        if frame["function"] == nil, let image = frame["package"]?.stringValue { return address(of: frame) ?? image }
        return [frame["module"]?.stringValue, frame["function"]?.stringValue ?? "?"].compactMap(\.self)
            .joined(separator: ".")
    }

    /// Image and offset, as tools take them.
    private func address(of frame: JSONValue) -> String? {
        guard let image = frame["package"]?.stringValue, let offset = frame["image_offset"]?.integerValue else {
            return nil
        }
        return "\(image) +0x\(String(offset, radix: 16))"
    }

    /// The build of the image, by which its symbols are found.
    private func image(of frame: JSONValue) -> String {
        let image = frame["function"] == nil || frame["image_offset"] != nil ? nil : frame["package"]
        return [image, frame["arch"], frame["debug_id"]].compactMap { $0?.stringValue }.joined(separator: " ")
    }
}
