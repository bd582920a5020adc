package import Foundation
import JSONWire
package import ServerAccess
package import SubGuardContract
import SubGuardDomain
package import Telemetry

/// Admin calls on crashes.
extension APIOperation {
    package static let crashGroups = APIOperation(
        .get, "/api/v1/admin/crashes", "listCrashGroups", tag: .administration, access: .permission(.metricsRead),
        summary: "List crash groups",
        "Crashes, errors and messages, grouped by what they have in common. `format=csv` returns the page as a table.",
        query: .object(CrashPage.self),
        answers: [
            .other(
                200,
                [
                    .json(CrashGroupPage.self),
                    .other(
                        "text/csv", ["type": "string"],
                        example: """
                            id,title,culprit,platform,level,status,count,first_seen_at,last_seen_at,releases\r\n
                            """),
                ], "A page of groups.")
        ])

    package static let crashReleases = APIOperation(
        .get, "/api/v1/admin/crashes/releases", "listReleaseHealth", tag: .administration,
        access: .permission(.metricsRead), summary: "List crash-free sessions by release",
        """
        Sessions of the last 720 hours and the crash reports of each release. The release with most sessions comes \
        first.
        """,
        answers: [.json(ReleaseHealthList.self, "All releases.")])

    package static let crashGroup = APIOperation(
        .get, "/api/v1/admin/crashes/{id:uuid}", "getCrashGroup", tag: .administration,
        access: .permission(.metricsRead), summary: "Show a crash group with its latest reports",
        """
        Up to five reports as they were stored, newest first: the latest ones and the first one ever. docs/api.md \
        lists the fields.
        """, holes: [.crashGroup],
        answers: [.json(CrashGroupDetail.self, "The group.")])

    package static let resolveCrashGroup = decision(
        .resolve, "resolveCrashGroup", "Resolve a crash group",
        "A report of a later crash opens the group again. Resolving it again changes nothing.")
    package static let ignoreCrashGroup = decision(
        .ignore, "ignoreCrashGroup", "Ignore a crash group",
        "Its reports are counted, and it stays ignored. Ignoring it again changes nothing.")
    package static let reopenCrashGroup = decision(
        .reopen, "reopenCrashGroup", "Reopen a crash group",
        "Undoes resolving or ignoring it. Reopening an open group changes nothing.")

    private static func decision(
        _ action: CrashAction, _ id: String, _ summary: String, _ details: String
    ) -> APIOperation {
        APIOperation(
            .post, "/api/v1/admin/crashes/{id:uuid}/\(action.rawValue)", id, tag: .administration,
            access: .permission(.crashesWrite), summary: summary,
            details
                + " With `If-Match`, the group changes only if its `ETag` matches; reports do not change the `ETag`.",
            holes: [.crashGroup], answers: [.json(CrashGroup.self, "The group.", headers: [.etag, .vary])],
            traits: .ifMatch)
    }

    package static let undoCrashMerge = APIOperation(
        .post, "/api/v1/admin/crashes/{id:uuid}/undo", "undoCrashMerge", tag: .administration,
        access: .permission(.crashesWrite), summary: "Part a group that symbols made of several",
        """
        Each becomes a group of its own again, with the reports and the status that are its own; the oldest keeps the \
        id. The same symbols do not make them one again. With `If-Match`, the group changes only if its `ETag` matches.
        """, holes: [.crashGroup], answers: [.json(CrashGroup.self, "The oldest of them.", headers: [.etag, .vary])],
        problems: [.conflict], traits: .ifMatch)

    package static let deleteCrashGroup = APIOperation(
        .delete, "/api/v1/admin/crashes/{id:uuid}", "deleteCrashGroup", tag: .administration,
        access: .permission(.crashesWrite), summary: "Delete a crash group",
        """
        Deletes the group with its reports and counts. A further report of the same fault makes a new group. With \
        `If-Match`, the group is deleted only if its `ETag` still matches; further reports do not change the `ETag`.
        """, holes: [.crashGroup], answers: [.empty(204, "The group is deleted.")], traits: .ifMatch)

    package static let decideCrashGroups = APIOperation(
        .post, "/api/v1/admin/crashes/bulk", "decideCrashGroups", tag: .administration,
        access: .permission(.crashesWrite), summary: "Resolve, ignore, reopen or delete many crash groups",
        "One transaction, with a result for each id.", body: .json(CrashBulk.self, "The groups and the action."),
        answers: [.json(CrashBulkResults.self, "The result for each group.")])

    package static let decideCrashReleases = APIOperation(
        .post, "/api/v1/admin/crashes/releases/bulk", "decideCrashReleases", tag: .administration,
        access: .permission(.crashesWrite), summary: "Delete many releases",
        """
        One transaction, with a result for each release. The sessions of a deleted release no longer count, and its \
        crash reports count under `(other)` in their groups.
        """, body: .json(CrashReleaseBulk.self, "The releases and the action."),
        answers: [.json(CrashReleaseBulkResults.self, "The result for each release.")])

    static let ofCrashes: [APIOperation] = [
        crashGroups, crashReleases, crashGroup, resolveCrashGroup, ignoreCrashGroup, reopenCrashGroup, undoCrashMerge,
        deleteCrashGroup, decideCrashGroups, decideCrashReleases,
    ]
}

extension APIOperation.Hole {
    fileprivate static let crashGroup = APIOperation.Hole.id("The group's id.")
}

// MARK: Requests

/// The query of the list of crash groups.
package struct CrashPage: WireObject {
    package enum Filter: String, Sendable, CaseIterable {
        case open, resolved, ignored, all
    }

    package let limit: Int
    /// Validated as a cursor of ``query``.
    private let cursorText: String?
    private let filter: Filter
    private let sort: CrashListQuery.Sort
    private let search: String?
    private let platform: String?
    private let release: String?
    package let format: FigureFormat
    private let hasMark: Bool

    package var query: CrashListQuery {
        CrashListQuery(
            status: CrashStatus(rawValue: filter.rawValue), search: search, platform: platform, release: release,
            sort: sort)
    }
    /// The position where the page starts.
    package var cursor: PageCursor? { cursorText.flatMap { PageCursor($0, of: query.list) } }

    package static let wire = WireSchema<CrashPage>(
        nil,
        make: {
            CrashPage(
                limit: $0, cursorText: $1, filter: $2, sort: $3, search: $4, platform: $5, release: $6, format: $7,
                hasMark: $8)
        },
        Field("limit", \.limit, .pageLimit, "Groups on a page.", default: 50),
        Field("cursor", \.cursorText, optional: .cursorText, "`next_cursor` of the page before. Opaque."),
        Field("status", \.filter, .choice, "Only groups with this status.", default: .all),
        Field("sort", \.sort, .choice, "The order of the groups, the highest value first.", default: .lastSeen),
        Field(
            "q", \.search, optional: .text(1...200, pattern: "^[^\\u0000]+$"),
            "Part of the title or the culprit. The case of ASCII letters is ignored."),
        Field(
            "platform", \.platform, optional: .text(1...64, pattern: "^[^\\u0000]+$"),
            "Only groups of this platform, as their reports name it."),
        Field(
            "release", \.release, optional: .text(1...96, pattern: "^[^\\u0000]+$"),
            "Only groups with a report of this release."),
        Field("format", \.format, .choice, "The format of the page.", default: .json),
        Field(byteOrderMark: \.hasMark)
    ) { page, reading in
        reading.check(cursor: page.cursorText, of: page.query.list)
    }
}

/// An action on several groups.
package struct CrashBulk: WireObject {
    package let ids: [UUID]
    package let action: CrashAction

    package static let wire = WireSchema<CrashBulk>(
        "CrashBulk", make: CrashBulk.init,
        Field("ids", \.ids, .set(of: .givenID, count: 1...500, called: "ids"), "Each group once."),
        Field("action", \.action, .choice))
}

/// An action on several releases.
package struct CrashReleaseBulk: WireObject {
    package let releases: [String]
    package let action: CrashAction

    package static let wire = WireSchema<CrashReleaseBulk>(
        "CrashReleaseBulk", make: CrashReleaseBulk.init,
        Field(
            "releases", \.releases, .set(of: .releaseName, count: 1...500, called: "releases"), "Each release once.",
            example: ["9.9.1", "9.9.2"]),
        Field("action", \.action, .choice(of: [.delete])))
}

// MARK: Answers

extension CrashGroup: WireObject {
    package static let wire = WireSchema<CrashGroup>("CrashGroup") {
        Field("id", \.id, .id)
        Field("title", \.title, .text(1...Int.max), example: "ZeroDivisionError: division by zero")
        Field(
            "culprit", \.culprit, nullable: .text(), "The place of the fault; null without a stack.",
            example: "shop.cart in total")
        Field("platform", \.platform, nullable: .text(), example: "python")
        Field("level", \.level, .choice, "Level of the latest report.", example: .error)
        Field("status", \.status, .choice, "A resolved group is open again once it crashes later than `decided_at`.")
        Field("count", \.count, .integer(1...Int64.max), example: 12)
        Field("first_seen_at", \.firstSeenAt, .instant)
        Field("last_seen_at", \.lastSeenAt, .instant)
        Field(
            "decided_at", \.decidedAt, nullable: .instant,
            "When it was resolved or ignored; null if it is open, unless a report reopened it.", example: nil)
        Field(
            "regressed_at", \.regressedAt, nullable: .instant,
            "When a report reopened it after it was resolved; null after the next decision.", example: nil)
        Field("versions", \.releases, .array(of: .object), "The releases with most reports first.")
    }
}

extension CrashGroup.Release: WireObject {
    package static let wire = WireSchema<CrashGroup.Release>("CrashVersion") {
        Field("release", \.name, nullable: .text(), "Null for reports without a release.", example: "1.4.0")
        Field("count", \.count, .integer(1...Int64.max), example: 11)
        Field("last_seen_at", \.lastSeenAt, .instant)
    }
}

extension CrashGroup.Sample: WireObject {
    package static let wire = WireSchema<CrashGroup.Sample>(nil) {
        Field("occurred_at", \.occurredAt, .instant)
        Field("report", \.body, .report, "Only the fields that are stored.")
    }
}

/// A page of the crash groups.
package struct CrashGroupPage: WireObject {
    package let groups: [CrashGroup]
    /// Nil on the last page.
    package let next: String?

    package init(groups: [CrashGroup], next: String?) {
        self.groups = groups
        self.next = next
    }

    package static let wire = WireSchema<CrashGroupPage>("CrashGroupPage") {
        Field("items", \.groups, .array(of: .object, count: 0...500))
        Field(
            "next_cursor", \.next, nullable: .cursorText,
            "Send it back as `cursor` for the next page; null on the last one.", example: nil)
    }
}

/// A crash group with its latest reports.
package struct CrashGroupDetail: WireObject {
    private let details: CrashGroup.Details

    package init(_ details: CrashGroup.Details) { self.details = details }

    package static let wire = WireSchema<CrashGroupDetail>("CrashGroupDetail") {
        Field(flattening: \.details.group)
        Field("samples", \.details.samples, .array(of: .object, count: 0...5))
        Field(
            "parts", \.details.parts, .array(of: .object, count: 0...CrashGroup.Details.mostParts),
            "The groups that symbols made one, the oldest first, at most 50; empty for a group of its own.")
        Field("part_count", \.details.partCount, .count, "Of all these groups.", example: 0)
    }
}

extension CrashGroup.Part: WireObject {
    package static let wire = WireSchema<CrashGroup.Part>("CrashPart") {
        Field("place", \.place, nullable: .text(), "Image and offset; null without a stack.", example: "Shop +0x3f50")
        Field(
            "build", \.build, nullable: .text(), "The image's debug id and architecture; null if they are not known.",
            example: "5f3a1c9e-7b42-3d8a-9c01-2e4f6a8b0d13 arm64")
        Field("count", \.count, .integer(1...Int64.max), example: 7)
        Field("first_seen_at", \.firstSeenAt, .instant)
        Field("last_seen_at", \.lastSeenAt, .instant)
        Field("status", \.status, .choice)
    }
}

extension ReleaseHealth: WireObject {
    package static let wire = WireSchema<ReleaseHealth>("ReleaseHealth") {
        Field("release", \.release, .text(), example: "1.4.0")
        Field("sessions", \.tally.sessions, .count, example: 1000)
        Field("crashed", \.tally.crashed, .count, example: 4)
        Field("abnormal", \.tally.abnormal, .count, example: 0)
        Field("errored", \.tally.errored, .count, "Sessions with at least one error, including crashes.", example: 20)
        Field("reports", \.reports, .count, "Crash reports in all groups.", example: 24)
        Field("crash_free_sessions", \.crashFree, nullable: .percent, "Percent; null without sessions.")
        Field(
            "first_seen_at", \.firstSeenAt, nullable: .instant,
            "When its first session began or its first report was made; null for an old one without stored sessions.")
    }
}

/// The health of all releases.
package struct ReleaseHealthList: WireObject {
    package let items: [ReleaseHealth]

    package init(items: [ReleaseHealth]) { self.items = items }

    private static let definition =
        "Sessions that started in the last 720 hours, including the current hour. crash_free_sessions is the "
        + "percentage of them that did not crash. reports counts the crash reports of all groups."

    package static let wire = WireSchema<ReleaseHealthList>("ReleaseHealthList") {
        Field("definition", { _ in definition }, .text(1...Int.max), example: definition)
        Field("zone", { _ in "UTC" }, .constant("UTC"))
        Field("items", \.items, .array(of: .object))
        Field("next_cursor", { _ in nil }, nullable: .cursorText, "Always null: there is one page.", example: nil)
    }
}

extension CrashDecision: WireObject {
    package static let wire = WireSchema<CrashDecision>(nil) {
        Field("id", \.id, .id)
        Field("result", \.outcome, .choice)
        Field(
            "former_status", \.former, nullable: .choice, "The status before; null if there is no such group.",
            example: .open)
    }
}

/// The results of a bulk action on groups.
package struct CrashBulkResults: WireObject {
    package let results: [CrashDecision]

    package init(results: [CrashDecision]) { self.results = results }

    package static let wire = WireSchema<CrashBulkResults>("CrashBulkResults") {
        Field("results", \.results, .array(of: .object))
    }
}

extension ReleaseDecision: WireObject {
    package static let wire = WireSchema<ReleaseDecision>(nil) {
        Field("release", \.name, .text(), example: "9.9.1")
        Field("result", \.outcome, .choice(of: [.deleted, .notFound]))
    }
}

/// The results of a bulk action on releases.
package struct CrashReleaseBulkResults: WireObject {
    package let results: [ReleaseDecision]

    package init(results: [ReleaseDecision]) { self.results = results }

    package static let wire = WireSchema<CrashReleaseBulkResults>("CrashReleaseBulkResults") {
        Field("results", \.results, .array(of: .object))
    }
}

extension WireType where Value == String {
    /// 1 to 96 printable ASCII characters.
    fileprivate static var releaseName: WireType {
        text(1...96, pattern: "^[ -~]+$").checking { text in
            text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
                ? nil : (.invalidFormat, "Must have 1 to 96 printable ASCII characters.")
        }
    }

    /// A stored report: a JSON object as text.
    fileprivate static var report: WireType {
        .written(
            ["type": "object"],
            example: [
                "platform": "python", "level": "error", "release": "1.4.0",
                "exception": ["values": [["type": "ZeroDivisionError", "value": "division by zero"]]],
            ]
        ) { $1.raw($0.utf8) }
    }
}

extension WireType where Value == FigureNumber {
    /// A percentage with one decimal.
    fileprivate static var percent: WireType {
        .written(["type": "number", "minimum": 0, "maximum": 100], example: .number("99.6")) { $1.raw($0.text.utf8) }
    }
}
