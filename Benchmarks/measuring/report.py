"""Results of several rounds, their goals, and how both are printed."""

import dataclasses
import statistics


@dataclasses.dataclass
class Goal:
    """`value` must be at least, or at most, `bar`."""

    label: str
    value: float
    bar: float
    at_least: bool = True
    unit: str = ""

    @property
    def is_met(self):
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    def line(self):
        sign = ">=" if self.at_least else "<="
        verdict = "met" if self.is_met else "MISSED"
        return f"  {self.label:58} {self.value:10.2f}   goal {sign} {self.bar:g}{self.unit}: {verdict}"

    def as_json(self):
        return dataclasses.asdict(self) | {"is_met": self.is_met}


class Table:
    """Rows of results by name, one value per round; printed with the median of each."""

    def __init__(self, title, columns, note=""):
        self.title = title
        self.columns = columns  # name of the result: (heading, decimals)
        self.note = note
        self.rows = {}
        self.goals = []
        self.remarks = []

    def add(self, row, **figures):
        kept = self.rows.setdefault(row, {})
        for name, value in figures.items():
            kept.setdefault(name, []).append(value)

    def median(self, row, figure):
        return statistics.median(self.rows[row][figure])

    def ratio(self, ours, peer, figure):
        """The median of the ratios of each round, because a disturbance affects both sides of a round."""
        pairs = zip(self.rows[ours][figure], self.rows[peer][figure])
        return statistics.median(mine / theirs if theirs else float("inf") for mine, theirs in pairs)

    def hold(self, *args, **more):
        self.goals.append(Goal(*args, **more))

    def print(self):
        width = max([len(row) for row in self.rows] + [18])
        print(f"\n{self.title}")
        print(f"  {'':{width}}" + "".join(f"{heading:>13}" for heading, _ in self.columns.values()))
        for row, figures in self.rows.items():
            cells = ""
            for name, (_, decimals) in self.columns.items():
                values = figures.get(name)
                cells += f"{statistics.median(values):13,.{decimals}f}" if values else f"{'-':>13}"
            print(f"  {row:{width}}{cells}")
        for goal in self.goals:
            print(goal.line())
        for remark in [self.note, *self.remarks]:
            if remark:
                print(f"  ({remark})")

    def as_json(self):
        rows = {
            row: {
                name: {"median": statistics.median(values), "least": min(values), "most": max(values), "values": values}
                for name, values in figures.items()}
            for row, figures in self.rows.items()}
        return {
            "title": self.title, "rows": rows, "goals": [goal.as_json() for goal in self.goals],
            "remarks": [remark for remark in [self.note, *self.remarks] if remark]}
