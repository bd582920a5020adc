import SubGuardDomain

/// Tables of what devices send.
extension PrivacyRegistry {
    private static let forever: Sentence = "As long as the store exists."
    private static let moment = "When it happened, by the corrected clock of the device."

    static let suggestions: [String: Table] = [
        "suggestion_groups": Table(
            "Suggested names of services, one row per name.", .devices, "Until a moderator deletes it.",
            [
                "id": "Random id of the name.", "normalised_name": "The name in lower case without accents.",
                "name": "The first spelling received.", "status": "The moderator's decision.",
                "suggestion_count": "Number of suggestions.", "first_seen_at": "The first suggestion.",
                "last_seen_at": "The latest suggestion.", "item_id": "The catalogue item made from it.",
                "decided_at": "When a moderator decided.",
            ]),
        "suggestions": Table(
            "Ids of suggestions, to recognise repetitions.", .devices,
            "Until a moderator deletes the suggestion.",
            ["id": "Random id made by the device.", "group_id": "The name that was suggested."]),
    ]

    static func analytics(days: Int, eventIDDays: Int) -> [String: Table] {
        let raw: Sentence = "\(days) days, then purged within a day."
        let known: Sentence = "\(eventIDDays) days after the newest id of the same run was received."
        return [
            "event_blocks": Table(
                "Events of the registry, many per row.", .devices, raw,
                [
                    "id": "Number of the row.", "received_at": "When the server received the newest of them.",
                    "last_occurred_at": "The time of its latest event, by the corrected clock of the device.",
                    "event_count": "Number of events.",
                    "events":
                        """
                    For each event: its random id made by the device, its name from the registry, the hash of the \
                    device, its time, when the server received it, the properties that the registry allows, and \
                    the app key that signed the request. An export has a number in place of the hash.
                    """,
                ], countingRecords: "SELECT COALESCE(SUM(event_count), 0) FROM event_blocks"),
            "event_id_chunks": Table(
                "Ids of events, to recognise repetitions.", .devices, known,
                ["id": "Number of the row.", "ids": "Random ids made by devices, in order."],
                countingRecords: "SELECT COALESCE(SUM(id_count), 0) FROM event_id_segments"),
            "event_id_segments": Table(
                "Index of these ids.", .devices, known,
                [
                    "id": "Number of the row.", "run_id": "The run that it belongs to.", "id_count": "Number of ids.",
                    "first_chunk_id": "The first row of ids.", "last_event_id": "The last id.",
                    "first_event_ids": "The first id of each row.",
                    "filter": "A filter that shows which ids are absent.",
                ]),
            "event_id_runs": Table("Runs of these ids.", .noPerson, known),
            "event_sinks": Table("Progress of copying events to ClickHouse.", .noPerson, forever),
            "event_sink_parts": Table(
                "Which events were copied to ClickHouse: their number and sums, by range and week.", .devices,
                "As long as ClickHouse keeps the events.",
                [
                    "table_number": "Number of the table in ClickHouse.", "range_number": "Number of the range.",
                    "shard": "Number of the part of the cluster.", "week": "Week in which the events occurred.",
                    "shard_count": "Number of these parts.", "first_block_id": "First block of the range.",
                    "last_block_id": "Last block of the range.", "event_count": "Number of events.",
                    "moment_sum": "Sum of their times, to find differences.",
                    "received_sum": "Sum of the times of receipt.", "user_sum": "Sum of the numbers of devices.",
                    "id_sum": "Sum of their ids.", "text_sum": "Sum of hashes of their names and properties.",
                    "sent_at": "When ClickHouse had them.",
                ]),
            "event_sink_users": Table(
                "The number by which ClickHouse knows a device.", .devices,
                "As long as the store exists; a device that asks to be forgotten gets another hash here, too.",
                [
                    "user_hash": "SHA-256 that the device made of a random id; it identifies no person.",
                    "number": "A number in the order in which devices first sent events.",
                ]),
            "event_folds": Table(
                "Progress of counting events.", .devices, forever,
                [
                    "id": "Number of the row.", "folded_block_id": "Last counted block.",
                    "folding_block_id": "Last block that is being counted.",
                    "folding_until": "The moment up to which events are being counted.",
                    "folded_key": "Last device counted so far in these blocks.",
                    "counted_until": "The moment up to which events are counted.",
                    "revision": "How often erasures, discards and rebuilds have changed devices.",
                ]),
            "user_pages": Table(
                """
                Devices that report events, many per row: the hash that each made of a random id, which identifies no \
                person, and the times of its first and latest event, of its milestones and of the ends of its long \
                absences, the days with events among the last 448 up to its latest event, and the platform and app \
                version that its first event names.
                """,
                .devices, forever,
                ["first_key": "The lowest key of a device in the row.", "users": "The devices, packed."],
                countingRecords: "SELECT users FROM figure_totals"),
            "rebuilt_user_pages": Table(
                "The same while the figures are rebuilt; empty otherwise.", .devices,
                "Until the rebuild ends; after a killed one, a minute.",
                ["first_key": "The lowest key of a device in the row.", "users": "The devices, packed."]),
            "fold_changes": Table("Figures that are being counted.", .noPerson, "A few seconds."),
            "deferred_blocks": Table(
                "Blocks with events dated ahead, noted by a rebuild of the figures until the next count.", .noPerson,
                "A day."),
            "deferred_events": Table(
                """
                Events dated ahead, until they are counted: their device, moment, name, catalogue item, platform and \
                app version.
                """,
                .devices,
                "A day.",
                [
                    "occurred_at": "The moment of the event.", "block_id": "The block that holds the event.",
                    "place": "The number of the event in the block.", "user_hash": "The device, as in its events.",
                    "event_name_id": "The name of the event, by its number.",
                    "item_id": "The catalogue item of an added subscription.",
                    "segment": "Its platform and app version, by their numbers.",
                ]),
            "event_log": Table(
                "End of the stored events, and the secret from which numbers of users in exports are made.", .noPerson,
                forever),
            "event_names": Table("Names of the registry, by number.", .noPerson, forever),
            "event_days": Table("Number of events by name and day.", .noPerson, forever),
            "figure_days": Table("Figures by day.", .noPerson, forever),
            "activity_days": Table("Changes of the number of active users by day.", .noPerson, forever),
            "funnel_days": Table(
                "Number of devices by day of signup, platform or app version, stage and days after the signup.",
                .noPerson,
                forever),
            "app_versions": Table("App versions that events name, by number.", .noPerson, forever),
            "figure_hours": Table("Figures by hour.", .noPerson, "A few weeks, then purged."),
            "figure_moments": Table(
                "Figures by the millisecond, many per row.", .noPerson, "A few weeks, then purged."),
            "rebuilt_figure_moments": Table(
                "The same while the figures are rebuilt; empty otherwise.", .noPerson, "Until the rebuild ends."),
            "figure_totals": Table("Figures of all time.", .noPerson, forever),
            "report_zones": Table("The time zones in which days of the figures are cut.", .noPerson, forever),
            "item_additions": Table("Number of additions of each catalogue item.", .noPerson, forever),
            "ranking_entries": Table("The ranking of the day.", .noPerson, "Until the next day."),
            "ranking_refreshes": Table("When the ranking was made.", .noPerson, forever),
        ]
    }

    static func crashes(days: Int) -> [String: Table] {
        let retention: Sentence = "\(days) days after the last report, then purged."
        let bounded: Sentence = "The newest ones, up to a fixed number."
        return [
            "crash_groups": Table(
                "Groups of crashes with the same cause.", .devices, retention,
                [
                    "id": "Random id.", "group_key": "Hash of the properties that reports of a group share.",
                    "title": "Type and message of the error: free text, known patterns of personal data masked.",
                    "culprit": "Place in the app's code.",
                    "platform": "Platform.", "level": "Severity.", "status": "Open, resolved or ignored.",
                    "event_count": "Number of reports.", "first_seen_at": "The first report.",
                    "last_seen_at": "The latest report.", "number": "The number of the group, in their order.",
                    "rank": "How recently and how widely it was reported.",
                    "marks":
                        """
                    64 bits for estimating how many networks reported it that day, chosen by a key that is not \
                    stored.
                    """,
                    "marked_day": "The day of these bits.", "decided_at": "When an administrator decided on it.",
                    "regressed_at": "When it was reported again after it was resolved.",
                    "revision": "Number of these changes.",
                    "symbol_key": "The same hash, with the names of functions.",
                    "merged_into": "The group that shows this one, because names made them one.",
                    "is_parted": "Whether an administrator has parted it from others.",
                ]),
            "crash_samples": Table(
                "The first and the newest few reports of each group, reduced to a list of allowed fields and masked.",
                .devices,
                retention,
                [
                    "id": "Number in this store.", "group_id": "The group.", "occurred_at": "The time of the crash.",
                    "body": "The allowed fields, as JSON.",
                ]),
            "crash_receipts": Table(
                "Ids of reports, to recognise repetitions.", .devices, bounded,
                ["id": "Number in this store.", "receipt_id": "Random id made by the device."]),
            "crash_sessions": Table(
                "Sessions that may still change.", .devices, "Until they can no longer change.",
                [
                    "id": "Number in this store.", "session_id": "Random id made by the device.",
                    "release_id": "The release of the app.", "hour_number": "The hour in which it began.",
                    "received_at": "When the server received the latest message about it.",
                    "status": "Its state or outcome.",
                    "has_errors": "Whether an error was reported.",
                ]),
            "crash_releases": Table("Releases of the app, by number.", .noPerson, bounded),
            "crash_group_releases": Table("Releases of each crash group.", .noPerson, retention),
            "crash_group_days": Table("Number of reports of each crash group by day.", .noPerson, retention),
            "crash_symbol_files": Table(
                "Lists of the app's functions, uploaded by operators: image, size, who and when.", .operators,
                "Until an operator removes them."),
            "crash_symbol_pages": Table("Names of the app's functions.", .noPerson, "Until an operator removes them."),
            "session_hours": Table("Sessions by hour and release.", .noPerson, retention),
            "session_days": Table("Number of sessions by day, of purged hours.", .noPerson, "As long as the database."),
        ]
    }
}
