import SQLDatabase

/// The tables with user data, parents before children.
enum EntityTables {
    static let all = [
        people, groups, groupMembers, expenses, subscriptions, prices, states, cancellations, ledger, shares,
        transactions, budgets, ownRates, sharePeriods, repayments, formerPeople, memberships, receipts, personPhotos,
        withdrawals, withdrawnRows, additions,
    ]

    static let subscriptions = EntityTable(
        "subscriptions", key: [.uuid("id")],
        registers: [
            ("name", [.text("name")]),
            ("price", [.integer("amount"), .text("currency")]),
            ("schedule", [.day("anchor_day"), .text("cycle"), .day("tracked_from")]),
            ("entry", [.day("started_on"), .instant("created_at")]),
            ("scope", [.text("scope", missing: "personal")]),
            ("category", [.text("category")]),
            (
                "trial",
                [.day("trial_ends_on"), .integer("trial_converts", missing: .integer(1)), .day("trial_starts_on")]
            ),
            ("ends_on", [.day("ends_on")]),
            (
                "contract",
                [
                    .day("contract_ends_on"), .integer("minimum_months"), .integer("extension_months"),
                    .integer("notice_days"),
                ]
            ),
            ("is_variable", [.integer("is_variable")]),
            ("remind", [.text("remind", missing: "default")]),
            ("details", [.text("details")]),
            ("notes", [.text("notes")]),
            ("website", [.text("website")]),
            ("payment_method", [.text("payment_method")]),
            ("icon", [.text("icon")]),
            ("color", [.text("color")]),
            ("catalogue_item_id", [.uuid("catalogue_item_id")]),
            ("replaced_by", [.uuid("replaced_by")]),
            ("bundled_in", [.uuid("bundled_in")]),
        ], order: "created_at, id")

    static let prices = EntityTable(
        "prices", key: [.subscription, .day("from_day")],
        registers: [("amount", [.integer("amount"), .text("currency"), .isRemoved])])

    static let states = states("states")

    /// Cancellations, and the states that end one. Apart from the others, so that a merge keeps both of one day.
    static let cancellations = states("cancellations")

    private static func states(_ name: String) -> EntityTable {
        EntityTable(
            name, key: [.subscription, .day("from_day")],
            registers: [
                (
                    "state",
                    [
                        .integer("state"), .integer("is_overruled"),
                        EntityTable.Column(name: "decided", kind: .text), .isRemoved,
                    ]
                )
            ])
    }

    static let ledger = EntityTable(
        "ledger", key: [.subscription, .day("due_day")],
        registers: [
            (
                "fate",
                [
                    EntityTable.Column(name: "fate", kind: .integer, missing: .integer(0), overruling: "withheld"),
                    .instant("acted_at"),
                ]
            ),
            (
                "paid",
                [
                    .integer("paid", missing: .null),
                    EntityTable.Column(name: "paid_currency", kind: .text, missing: .null),
                ]
            ),
        ], optional: "paid")

    static let people = EntityTable(
        "people", key: [.uuid("id")],
        registers: [
            ("name", [.text("name")]), ("email", [.text("email")]), ("phone", [.text("phone")]),
            ("avatar", [.text("avatar_kind", missing: "initials"), .text("avatar_value", missing: "0")]),
            ("notes", [.text("notes")]), ("created_at", [.instant("created_at")]), ("color", [.text("color")]),
        ])

    static let personPhotos = EntityTable(
        "person_photos", key: [.uuid("person_id")],
        registers: [("file", [.text("kind"), .integer("size"), .text("content")])])

    static let groups = EntityTable(
        "groups", key: [.uuid("id")],
        registers: [
            ("name", [.text("name")]), ("details", [.text("details")]), ("emoji", [.text("emoji")]),
            ("created_at", [.instant("created_at")]),
        ])

    static let groupMembers = EntityTable(
        "group_members", key: [.uuid("group_id"), .uuid("person_id")],
        registers: [("is_member", [.integer("is_member")]), ("position", [.integer("position")])])

    static let memberships = EntityTable(
        "memberships", key: [.uuid("group_id"), .uuid("person_id"), .day("from_day")],
        registers: [("is_member", [.integer("is_member"), .isRemoved])])

    static let expenses = EntityTable(
        "expenses", key: [.uuid("id")],
        registers: [
            ("group", [.uuid("group_id")]), ("title", [.text("title")]),
            (
                "amount",
                [.integer("amount"), .text("currency"), .text("payers"), .text("split"), .text("parts")]
            ),
            ("spent_on", [.day("spent_on")]), ("category", [.text("category")]), ("notes", [.text("notes")]),
            ("receipt_path", [.text("receipt_path")]), ("is_settled", [.integer("is_settled")]),
            ("created_at", [.instant("created_at")]),
        ])

    static let shares = EntityTable(
        "shares", key: [.subscription],
        registers: [
            ("split", [.text("split"), .text("parts")]), ("is_accepted", [.integer("is_accepted")]),
            ("notes", [.text("notes")]),
        ], optional: "notes")

    static let transactions = EntityTable(
        "transactions", key: [.uuid("id")],
        registers: [
            ("title", [.text("title")]), ("subtitle", [.text("subtitle")]),
            ("amount", [.integer("amount"), .text("currency"), .text("kind")]), ("booked_on", [.day("booked_on")]),
            ("category", [.text("category")]), ("is_recurring", [.integer("is_recurring")]),
            ("tags", [.text("tags")]), ("notes", [.text("notes")]), ("receipt_path", [.text("receipt_path")]),
            ("person", [.uuid("person_id")]), ("created_at", [.instant("created_at")]),
        ])

    static let receipts = EntityTable(
        "receipts", key: [.uuid("id")],
        registers: [
            ("owner", [.uuid("expense_id"), .uuid("transaction_id")]),
            ("file", [.text("name"), .text("kind"), .integer("size"), .text("content")]),
            ("created_at", [.instant("created_at")]),
        ])

    static let budgets = EntityTable(
        "budgets", key: [.uuid("id")],
        registers: [
            ("category", [.text("category"), .text("scope")]),
            ("limit", [.integer("amount"), .text("currency"), .text("period"), .text("begins")]),
        ])

    static let sharePeriods = EntityTable(
        "share_periods", key: [.subscription, .day("from_day")],
        registers: [("split", [.text("split"), .text("parts"), .isRemoved])])

    static let repayments = EntityTable(
        "repayments", key: [.uuid("id")],
        registers: [
            ("people", [.uuid("from_id"), .uuid("to_id")]), ("amount", [.integer("amount"), .text("currency")]),
            ("paid_on", [.day("paid_on")]), ("group", [.uuid("group_id")]), ("created_at", [.instant("created_at")]),
        ])

    static let formerPeople = EntityTable(
        "former_people", key: [.uuid("id")], registers: [("name", [.text("name")]), ("left_on", [.day("left_on")])])

    static let ownRates = EntityTable(
        "own_rates", key: [EntityTable.Column(name: "currency", kind: .text), .day("from_day")],
        registers: [("rate", [.text("rate"), .isRemoved])])

    static let withdrawals = EntityTable(
        "withdrawals", key: [EntityTable.Column(name: "entity", kind: .text), .uuid("id")],
        registers: [("is_withdrawn", [.integer("is_withdrawn")])])

    static let withdrawnRows = EntityTable(
        "withdrawn_rows",
        key: [
            EntityTable.Column(name: "entity", kind: .text), .uuid("id"), EntityTable.Column(name: "row", kind: .text),
        ],
        registers: [("image", [.text("image")])])

    /// `device` has 16 hexadecimal digits.
    static let additions = EntityTable(
        "additions",
        key: [
            EntityTable.Column(name: "entity", kind: .text), .uuid("id"),
            EntityTable.Column(name: "device", kind: .text),
        ],
        registers: [("is_withdrawn", [.integer("is_withdrawn")])])
}
