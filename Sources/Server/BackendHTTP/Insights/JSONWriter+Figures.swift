import Backend
import JSONWire
import SubGuardDomain

/// The members of each report, without the braces around them.
extension JSONWriter {
    mutating func members(of dashboard: Dashboard) {
        for (name, figure, definition) in dashboard.figures {
            key(name)
            beginObject()
            field("value", figure.value)
            field("this_week", figure.thisWeek)
            field("last_week", figure.lastWeek)
            field("trend_percent", figure.trendPercent)
            field("definition", definition)
            endObject()
        }
    }

    mutating func members(of funnel: Funnel) {
        field("from", funnel.range.from?.iso)
        field("to", funnel.range.to?.iso)
        key("stages")
        beginArray()
        for stage in funnel.stages {
            beginObject()
            field("name", stage.name)
            field("count", stage.count)
            field("percent_of_previous", stage.percentOfPrevious)
            field("percent_of_first", stage.percentOfFirst)
            endObject()
        }
        endArray()
    }

    mutating func members(of cohorts: Cohorts) {
        field("from", cohorts.range.from?.iso)
        field("to", cohorts.range.to?.iso)
        key("cohorts")
        beginArray()
        for cohort in cohorts.cohorts {
            beginObject()
            field("week", cohort.week.text)
            field("starts_on", cohort.week.startsOn.iso)
            field("users", cohort.users)
            field("d1", cohort.d1)
            field("d7", cohort.d7)
            field("d30", cohort.d30)
            endObject()
        }
        endArray()
    }

    mutating func members(of ranking: Ranking) {
        key("items")
        beginArray()
        for item in ranking.items {
            beginObject()
            field("id", item.id.lowercased)
            field("name", item.name)
            field("logo_url", item.logoURL)
            field("count", item.count)
            endObject()
        }
        endArray()
    }

    private mutating func field(_ name: String, _ number: FigureNumber?) {
        key(name)
        if let number { raw(number.text.utf8) } else { null() }
    }

    private mutating func field(_ name: String, _ retention: Retention?) {
        key(name)
        guard let retention else { return null() }
        beginObject()
        field("count", retention.count)
        field("eligible", retention.eligible)
        field("percent", retention.percent)
        field("rating", retention.rating.rawValue)
        endObject()
    }
}
