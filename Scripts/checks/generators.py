"""Generate Python clients from docs/openapi.json with openapi-python-client and datamodel-code-generator: neither may
warn about the document. Then make ten calls with the generated client: each answer must have the type that the document
gives it, errors included."""

import importlib
import os
import pathlib
import subprocess
import sys

from harness import ROOT, Server, debug_binary, expect, main

TOOLS = pathlib.Path(sys.executable).parent
DOCUMENT = ROOT / "docs/openapi.json"


def generate(folder, *command):
    """Runs a generator, which must print nothing that looks like a warning."""
    # openapi-python-client looks for ruff on the path.
    done = subprocess.run(
        [TOOLS / command[0], *command[1:]], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False, env={**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"})
    expect(done.returncode == 0 and "warning" not in done.stdout.lower(),
           f"{command[0]} ended with status {done.returncode}:\n{done.stdout}")


class Calls:
    """Calls of the generated client, each checked for the status and the type of its answer."""

    def __init__(self, url):
        self.url = url
        self.count = 0

    def make(self, operation, status, wanted, token=None, **arguments):
        """The parsed answer; `operation` is the tag and the operation as modules of the client."""
        package = importlib.import_module("client")
        if token:
            client = package.AuthenticatedClient(base_url=self.url, token=token)
        else:
            client = package.Client(base_url=self.url)
        with client:
            answer = importlib.import_module(f"client.api.{operation}").sync_detailed(client=client, **arguments)
        self.count += 1
        found = type(answer.parsed).__name__
        expect((answer.status_code, found) == (status, wanted),
               f"{operation}: {answer.status_code} as {found}, not {status} as {wanted}: {answer.content[:500]}")
        return answer.parsed


def check_calls(server, token):
    models = importlib.import_module("client.models")
    calls = Calls(server.url)
    expect(calls.make("operations.get_health", 200, "Health").status == "ok", "the process does not respond")
    page = calls.make("catalogue.list_catalogue", 200, "CataloguePage", limit=2)
    expect(len(page.items) == 2, f"a page of two items has {len(page.items)}")
    found = calls.make("catalogue.search_catalogue", 200, "CatalogueMatchList", q="netflix")
    expect(found.items[0].name == "Netflix", f"the first match is {found.items[0].name}")
    problem = calls.make("administration.read_own_token", 401, "Problem", token="sgt_" + "x" * 43)
    expect(problem.code == models.ProblemCode.UNAUTHORIZED, f"the code of a wrong token is {problem.code}")
    expect(calls.make("administration.read_own_token", 200, "OwnToken", token=token).role == "owner", "no owner")
    body = models.NewAccessToken(name="weekly report", role="analyst")
    created = calls.make("administration.create_access_token", 201, "CreatedAccessToken", token=token, body=body)
    body = models.NewAccessToken(name=" ", role="no_such_role")
    problem = calls.make("administration.create_access_token", 422, "Problem", token=token, body=body)
    expect([error.pointer for error in problem.errors] == ["#/name"], f"a blank name is refused as {problem.errors}")
    page = calls.make("administration.list_access_tokens", 200, "AccessTokenPage", token=token, limit=1)
    expect(isinstance(page.next_cursor, str), "the first page of two tokens has no next_cursor")
    row = calls.make("administration.list_audit", 200, "AuditEntryPage", token=token).items[0]
    expect((row.action, str(row.subject_id)) == ("token.create", str(created.id)), f"the last change is {row}")
    dashboard = calls.make("administration.get_dashboard", 200, "Dashboard", token=created.token)
    expect(dashboard.total_users.value == 0, f"an empty server has {dashboard.total_users.value} users")
    expect(calls.count == 10, f"{calls.count} calls were made, not ten")


def check_models(server, token):
    """Models of datamodel-code-generator read what the server answers."""
    models = importlib.import_module("models")
    for path, credential, name in (
        ("/api/v1/admin/dashboard", token, "Dashboard"), ("/api/v1/admin/audit", token, "AuditEntryPage"),
        ("/api/v1/admin/roles", "sgt_x", "Problem"), ("/api/v1/privacy", None, "Privacy"),
    ):
        getattr(models, name).model_validate_json(server.call("GET", path, token=credential)[1])


def check(folder):
    generate(folder, "openapi-python-client", "generate", "--path", DOCUMENT, "--output-path", "client",
             "--meta", "none", "--fail-on-warning")
    generate(folder, "datamodel-codegen", "--input", DOCUMENT, "--input-file-type", "openapi", "--output", "models.py",
             "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin")
    sys.path.insert(0, str(folder))
    with Server(debug_binary("subguardd"), folder / "server") as server:
        token = server.token()
        check_calls(server, token)
        check_models(server, token)
    return "both generators read the document without a warning, and ten calls have typed answers"


main("generators", check)
