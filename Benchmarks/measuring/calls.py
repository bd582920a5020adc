"""The requests that are measured one by one."""

import dataclasses

from measuring.servers import fetch

CATALOGUE = "/api/v1/catalogue?limit=100"


@dataclasses.dataclass(frozen=True)
class Call:
    name: str
    path: str
    condition: str = ""

    def headers(self, port):
        """Header fields for the condition, such as a matching entity tag, from the server on this port."""
        match self.condition:
            case "gzip":
                return {"Accept-Encoding": "gzip"}
            case "304":
                return {"If-None-Match": fetch(port, self.path)[1]["ETag"]}
        return {}


CALLS = (
    Call("healthz", "/healthz"), Call("catalogue", CATALOGUE), Call("catalogue-gzip", CATALOGUE, "gzip"),
    Call("catalogue-304", CATALOGUE, "304"))
