/// Tables of what devices send.
extension PrivacyRegistry {
    private static let forever = "As long as the store exists."
    private static let moment = "When it happened, by the device's clock after its repair."

    static let suggestions: [String: Table] = [
        "suggestion_groups": Table(
            "Names of services that devices miss, one row a name.", .devices, "Until a moderator deletes it.",
            [
                "id": "Random id of the name.", "normalised_name": "The name without case and accents.",
                "name": "The first spelling that came.", "status": "What a moderator decided.",
                "suggestion_count": "How often it was suggested.", "first_seen_at": "When it came first.",
                "last_seen_at": "When it came last.", "item_id": "The catalogue item that it became.",
                "decided_at": "When a moderator decided.",
            ]),
        "suggestions": Table(
            "Ids of suggestions, to know one again that is sent twice.", .devices,
            "Until a moderator deletes the suggestion.",
            ["id": "Random id that the device made for this suggestion.", "group_id": "The name that was suggested."]),
    ]

    static func analytics(days: Int) -> [String: Table] {
        let raw = "\(days) days, then purged."
        let known = "401 days after the last of its run was received."
        return [
            "users": Table(
                "One row a device that reports events, with the first time of each milestone.", .devices, forever,
                [
                    "id": "Number in this store.",
                    "user_hash": "SHA-256 that the device made of a random id; it leads back to nobody.",
                    "first_seen_at": "Its earliest event.", "last_seen_at": "Its latest event.",
                    "app_downloaded_at": moment, "first_subscription_added_at": moment,
                    "five_subscriptions_reached_at": moment, "retention_d1_at": moment, "retention_d7_at": moment,
                    "retention_d30_at": moment, "premium_conversion_at": moment,
                    "signup_at": "The download, else the earliest event.",
                    "seen_minute": "The minute of the latest event.",
                    "returned_at": "The end of the latest long absence.",
                ]),
            "event_blocks": Table(
                "Events from the registry, as devices sent them, many in a row.", .devices, raw,
                [
                    "id": "Number of the row.", "received_at": "When the server took the last of them.",
                    "last_occurred_at": "The latest moment of an event in it, by the device's clock after its repair.",
                    "event_count": "How many events are in it.",
                    "events":
                        "Of each event: the random id that the device made for it, which event of the registry, the hash that stands for the device, its moment, when the server took it, the properties that the registry allows, and which app key signed the request.",
                ]),
            "events": Table(
                "Events of stores of before, moved to event_blocks by the next start.", .devices, raw,
                [
                    "id": "Random id that the device made for this event.",
                    "event_name_id": "Which event of the registry.",
                    "user_id": "Which device, by its number.", "occurred_at": moment,
                    "received_at": "When the server took it.",
                    "properties": "Properties that the registry allows, as JSON.",
                ]),
            "event_id_chunks": Table(
                "Ids of events, to know one again that is sent twice.", .devices, known,
                ["id": "Number of the row.", "ids": "Random ids that devices made for events, in order."]),
            "event_id_segments": Table(
                "Where among those ids one would be.", .devices, known,
                [
                    "id": "Number of the row.", "run_id": "Which ids belong together.", "id_count": "How many ids.",
                    "first_chunk_id": "Where they begin.", "last_event_id": "The last of them.",
                    "first_event_ids": "The first of each row.",
                    "filter": "A digest that tells which ids are not there.",
                ]),
            "event_id_runs": Table("Which of those ids belong together.", .nobody, known),
            "event_folds": Table(
                "How far events have been counted.", .devices, forever,
                [
                    "id": "Number of the row.", "folded_block_id": "Blocks that are counted.",
                    "folding_block_id": "Blocks that are being counted.",
                    "folded_user_hash": "Up to which device, while they are being counted.",
                ]),
            "event_log": Table("How far events have been stored.", .nobody, forever),
            "user_absences": Table(
                "Stretches of more than a week without an event, to count active devices.", .devices,
                "Some weeks, then purged.",
                [
                    "user_id": "Which device, by its number.", "left_at": "The last event before.",
                    "returned_at": "The first event after.",
                ]),
            "event_names": Table("Names of the registry, by number.", .nobody, forever),
            "event_days": Table("How many events of a name there were on a day.", .nobody, forever),
            "subscription_moments": Table(
                "Subscriptions added less removed, by the millisecond.", .nobody, "Some weeks, then purged."),
            "figure_days": Table("Figures by the day.", .nobody, forever),
            "figure_minutes": Table("Figures by the minute.", .nobody, "Some weeks, then purged."),
            "figure_totals": Table("Figures of all time.", .nobody, forever),
            "item_additions": Table("How often each catalogue item was added.", .nobody, forever),
            "ranking_entries": Table("The ranking of the day.", .nobody, "Until the next day's."),
            "ranking_refreshes": Table("When the ranking was made.", .nobody, forever),
        ]
    }

    static func crashes(days: Int) -> [String: Table] {
        let retention = "\(days) days after the last report, then purged."
        let bounded = "The newest ones, within a bound."
        return [
            "crash_groups": Table(
                "Crashes of the same fault.", .devices, retention,
                [
                    "id": "Random id.", "group_key": "Hash of what makes reports the same.",
                    "title": "Kind of fault, personal data masked.", "culprit": "Where in the app's code.",
                    "platform": "Kind of system.", "level": "How bad it is.", "status": "Whether it is resolved.",
                    "event_count": "How many reports.", "first_seen_at": "The first report.",
                    "last_seen_at": "The latest report.", "number": "The number of the group, in their order.",
                    "rank": "How recently and how widely it was reported.",
                    "marks":
                        "About how many networks reported it that day: 64 bits, chosen by a key that is not stored.",
                    "marked_day": "The day of these bits.", "decided_at": "When an administrator decided on it.",
                    "regressed_at": "When it came back after it was resolved.", "revision": "How often that changed.",
                ]),
            "crash_samples": Table(
                "The first and the newest few reports of each group, reduced to a list of allowed fields and masked.",
                .devices,
                retention,
                [
                    "id": "Number in this store.", "group_id": "Which fault.", "occurred_at": "When.",
                    "body": "The allowed fields, as JSON.",
                ]),
            "crash_receipts": Table(
                "Ids of reports, to know one again that is sent twice.", .devices, bounded,
                ["id": "Number in this store.", "receipt_id": "Random id that the device made for the report."]),
            "crash_sessions": Table(
                "Sessions that may still change.", .devices, "Until nothing can change them any more.",
                [
                    "id": "Number in this store.", "session_id": "Random id that the device made for this session.",
                    "release_id": "Which release of the app.", "hour_number": "The hour in which it began.",
                    "received_at": "When the server heard of it last.", "status": "How it goes, or ended.",
                    "has_errors": "Whether an error was reported.",
                ]),
            "crash_releases": Table("Releases of the app, by number.", .nobody, bounded),
            "crash_group_releases": Table("Which fault is in which release.", .nobody, retention),
            "session_hours": Table("Sessions by the hour and release.", .nobody, retention),
        ]
    }
}
