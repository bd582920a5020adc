package import Catalogue
import JSONWire
package import SubGuardContract
import SubGuardDomain

/// Calls that import and export the catalogue.
extension APIOperation {
    package static let importCatalogue = APIOperation(
        .post, "/api/v1/admin/catalogue/import", "importCatalogue", tag: .administration,
        access: .permission(.catalogueWrite), summary: "Import a file",
        """
        CSV in the columns of the export, or JSON: an array of items or `{"items": […]}`. Items are matched by slug; a \
        row with a slug and some of the fields changes these of its item. CSV is read as spreadsheets write it: UTF-8, \
        UTF-16 or Windows-1252; comma, semicolon or tab, or as a line `sep=;` says; columns in any order, named in any \
        case; amounts with a decimal comma. Unknown columns are ignored and named in the report. \
        One bad row refuses the file, unless `skip_bad` is true. At most 100,000 rows and 32 MiB. `GET …/imports` \
        shows the progress. A refusal changes nothing. It is a problem that also has the members of the report, which \
        counts the rows that would be written if the bad ones were skipped.
        """, query: .object(CatalogueImportQuery.self),
        body: .other(
            [
                .other(
                    "application/octet-stream", ["type": "string", "format": "binary"],
                    example: .string(CatalogueFile.csvExample)),
                .json(examples: [("items", [shortItem])]) { components in
                    [
                        "anyOf": [
                            .object(CatalogueFile.rows.schema(&components)),
                            .object(CatalogueFile.wire.reference(&components)),
                        ]
                    ]
                },
            ], of: .catalogueFile,
            "The file. For `application/octet-stream`, its first character decides whether it is read as CSV or "
                + "JSON.", isJSON: true),
        answers: [
            .json(
                CatalogueImportAnswer.self, "What was done, or with `dry_run` would be done.",
                examples: [
                    (
                        "applied",
                        [
                            "dry_run": false, "applied": true, "rows": 2, "inserted": 1, "updated": 1, "unchanged": 0,
                            "failed": [],
                        ]
                    ), ("dry_run", CatalogueImportAnswer.wire.example),
                ])
        ])

    package static let catalogueImports = APIOperation(
        .get, "/api/v1/admin/catalogue/imports", "listCatalogueImports", tag: .administration,
        access: .permission(.catalogueRead), summary: "List imports and their progress",
        "Running and recently finished imports of this process, newest first.",
        answers: [.json(WholeList<ImportTracker.Entry>.self, "The imports.")])

    package static let exportCatalogue = APIOperation(
        .get, "/api/v1/admin/catalogue/export", "exportCatalogue", tag: .administration,
        access: .permission(.catalogueRead), summary: "Export the catalogue",
        "The file can be imported unchanged. It has no logos and no dates; only JSON has ids.",
        query: .object(CatalogueExportQuery.self),
        answers: [
            .other(
                200,
                [
                    .other("text/csv", ["type": "string"], example: .string(CatalogueFile.csvExample)),
                    .json(CatalogueFile.self),
                ], "The whole catalogue, sorted by slug.", headers: [.contentDisposition])
        ])

    static let ofCatalogueFiles: [APIOperation] = [importCatalogue, catalogueImports, exportCatalogue]
}

/// The options of an import.
package struct CatalogueImportQuery: WireObject {
    package let isDryRun: Bool
    package let skipsBadRows: Bool
    package let mode: CatalogueImportMode

    package init(isDryRun: Bool, skipsBadRows: Bool, mode: CatalogueImportMode = .upsert) {
        self.isDryRun = isDryRun
        self.skipsBadRows = skipsBadRows
        self.mode = mode
    }

    package static let wire = WireSchema<CatalogueImportQuery>(
        nil, make: { CatalogueImportQuery(isDryRun: $0, skipsBadRows: $1, mode: $2) },
        Field("dry_run", \.isDryRun, .boolean, "Report what would change and change nothing.", default: false),
        Field(
            "skip_bad", \.skipsBadRows, .boolean, "Skip rows that fail, instead of refusing the file.", default: false),
        Field(
            "mode", \.mode, .choice,
            "`update` fails for rows of unknown slugs, `create` for rows of known ones; `upsert` does both.",
            default: .upsert))
}

/// The format of an export.
package struct CatalogueExportQuery: WireObject {
    package enum Format: String, Sendable, CaseIterable {
        case csv
        case json
    }

    package let format: Format
    private let hasMark: Bool

    package static let wire = WireSchema<CatalogueExportQuery>(
        nil, make: CatalogueExportQuery.init,
        Field(
            "format", \.format, .choice, "`csv` is for spreadsheets: no cell runs as a formula.", default: .csv),
        Field(byteOrderMark: \.hasMark))
}

/// The catalogue as a JSON file, read and written one row at a time.
package struct CatalogueFile: WireObject {
    private let items: [NewCatalogueItem]

    package static let wire = WireSchema<CatalogueFile>(
        "CatalogueFile", "Further members are ignored.", unknown: .ignored
    ) {
        Field("items", \.items, rows)
    }

    static let rows = WireType<[NewCatalogueItem]>.array(of: .object, count: 1...100_000)

    static let csvExample =
        "name,slug,category,typical_amount,currency,billing_cycle\r\nNetflix,netflix,streaming,14.99,EUR,monthly\r\n"
}

/// The result of an import.
package struct CatalogueImportAnswer: WireObject {
    package let report: CatalogueImportReport
    package let isDryRun: Bool

    package init(_ report: CatalogueImportReport, isDryRun: Bool) {
        self.report = report
        self.isDryRun = isDryRun
    }

    /// Whether nothing was written because of failed rows.
    package var isRefusal: Bool { !report.isApplied && !isDryRun }

    package static let wire = WireSchema<CatalogueImportAnswer>("ImportReport") {
        Field("dry_run", \.isDryRun, .boolean, "Whether the request only asked what would change.")
        Field(
            "applied", \.report.isApplied, .boolean,
            "Whether anything was written. False for a dry run and a refused file: the counts then state what would "
                + "happen without the bad rows.", example: false)
        Field("rows", \.report.rows, .integer(1...Int.max), "Rows in the file.", example: 3)
        Field("inserted", \.report.inserted, .count, "Rows that create an item; none is created unless `applied`.")
        Field("updated", \.report.updated, .count, "Rows that change an item; none is changed unless `applied`.")
        Field("unchanged", \.report.unchanged, .count, "Rows that equal their item.", example: 0)
        Field(
            "failed", \.report.failed, .array(of: .object, count: 0...100),
            "The first rows that failed, with 100 faults in all.")
        Field(
            "ignored_columns", { $0.report.ignoredColumns.isEmpty ? nil : $0.report.ignoredColumns },
            optional: .array(of: .text(), count: 1...50),
            "Columns of a CSV file that are not known, by their names, the first 50; absent if there are none.",
            example: nil)
        Field(
            "failed_omitted", { some($0.report.failedCount - $0.report.failed.count) }, optional: .integer(1...Int.max),
            "Number of failed rows that `failed` does not list; absent if there are none.")
        Field(
            // A rejected import has it among the members of the problem.
            "errors_omitted", { $0.isRefusal ? nil : some($0.report.omittedErrors) }, optional: .integer(1...Int.max),
            "Number of faults that `failed` does not list; absent if there are none.")
    }

    private static func some(_ count: Int) -> Int? { count > 0 ? count : nil }
}

extension CatalogueImportReport.FailedRow: WireObject {
    package static let wire = WireSchema<Self>("FailedRow") {
        Field(
            "row", \.number, .integer(1...Int.max), "Line of a CSV file, or position in a JSON array; counted from 1.",
            example: 3)
        Field("errors", \.errors, .array(of: .object, count: 1...Int.max))
    }
}

/// A problem extended by the members of the import report (RFC 9457 section 3.2).
package struct RefusedImport: WireObject {
    private let problem: Problem
    private let answer: CatalogueImportAnswer

    package init(_ answer: CatalogueImportAnswer, requestID: String) {
        let report = answer.report
        var errors = FaultList()
        for error in report.failed.flatMap(\.errors) { errors.note(error) }
        errors.count(report.omittedErrors)
        problem = Problem(
            code: .validationFailed,
            detail: "\(report.failedCount) of \(report.rows) rows cannot be imported; nothing was written.",
            requestID: requestID, errors: errors)
        self.answer = answer
    }

    package static let wire = WireSchema<RefusedImport>(nil) {
        Field(flattening: \.problem)
        Field(flattening: \.answer)
    }
}

extension ImportTracker.Entry: WireObject {
    package static let wire = WireSchema<Self>("CatalogueImport") {
        Field("id", \.id, .id)
        Field("state", \.state, .choice)
        Field("dry_run", \.isDryRun, .boolean, example: false)
        Field("rows", \.rows, .count, "0 while the file is being read.", example: 50_000)
        Field("percent", \.percent, .integer(0...100), example: 62)
        Field("started_at", \.startedAt, .instant)
        Field("finished_at", \.finishedAt, nullable: .instant, "Null while the import runs.", example: nil)
    }
}
