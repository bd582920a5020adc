"""The requests that are counted one by one."""

import dataclasses

from measuring.servers import fetch

CATALOGUE = "/api/v1/catalogue?limit=100"


@dataclasses.dataclass(frozen=True)
class Call:
    name: str
    path: str
    condition: str = ""

    def headers(self, port):
        """Header fields that make the server on this port answer as the condition says."""
        match self.condition:
            case "gzip":
                return {"Accept-Encoding": "gzip"}
            case "304":
                return {"If-None-Match": fetch(port, self.path)[1]["ETag"]}
        return {}


CALLS = (
    Call("healthz", "/healthz"), Call("catalogue", CATALOGUE), Call("catalogue-gzip", CATALOGUE, "gzip"),
    Call("catalogue-304", CATALOGUE, "304"))
