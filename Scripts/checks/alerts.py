"""Check alerts from end to end: the real server, third-party receivers (aiosmtpd for mail, slack_sdk for the rules of
Slack's blocks) and an HTTP receiver that fails on demand."""

import base64
import collections
import email
import email.policy
import hashlib
import hmac
import json
import logging
import queue
import ssl
import pathlib
import subprocess
import tempfile
import threading
import time
import uuid
import warnings

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from slack_sdk.models.blocks import Block

import harness
from harness import debug_binary, eventually, expect, free_port, main, make_certificate

SECRET = "whsec-Grüße-0123456789"
PASSWORD = "p@ss:w0rd/%"


class Receiver(harness.Receiver):
    """Slack under /services/, a webhook under /hook. Responses are taken from `script` first, then they are
    successful."""

    def __init__(self):
        self.requests = collections.defaultdict(list)
        self.script = collections.defaultdict(collections.deque)
        self.standing = {}
        self.hold = threading.Event()
        self.hold.set()
        super().__init__(self.answer)

    def answer(self, handler, body):
        kind = "slack" if handler.path.startswith("/services/") else handler.path.strip("/")
        self.requests[kind].append((dict(handler.headers.items()), body))
        self.hold.wait()
        script = self.script[kind]
        return script.popleft() if script else self.standing.get(kind, (200, b"ok", {}))


class Mailbox:
    """aiosmtpd that requires STARTTLS and a password."""

    def __init__(self, folder):
        self.messages = queue.Queue()
        self.refuse = self.refuse_recipient = None
        certificate, key = make_certificate(folder)
        self.certificate = certificate
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key)
        mailbox = self

        class Handler:
            async def handle_RCPT(self, server, session, envelope, address, options):
                if mailbox.refuse_recipient:
                    return mailbox.refuse_recipient
                envelope.rcpt_tos.append(address)
                return "250 OK"

            async def handle_DATA(self, server, session, envelope):
                if mailbox.refuse:
                    return mailbox.refuse
                mailbox.messages.put((session, envelope))
                return "250 taken"

        def authenticate(server, session, envelope, mechanism, data):
            good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"alerts", PASSWORD.encode())
            return AuthResult(success=good, handled=False)

        self.controller = Controller(
            Handler(), hostname="127.0.0.1", port=0, tls_context=context, require_starttls=True, auth_required=True,
            authenticator=authenticate)
        self.controller.port = free_port()
        self.controller.start()
        self.port = self.controller.port


class Server(harness.Server):
    def __init__(self, binary, folder, settings, name="server"):
        super().__init__(binary, folder, {"LOG_FORMAT": "json", "RATE_LIMIT_ENABLED": "false", **settings}, name)
        # An unreachable proxy: a sender that used the environment would fail.
        self.environment |= {f"{kind}_proxy": "http://127.0.0.1:9" for kind in ("http", "https", "all")}
        token_file = folder / "token"
        if not token_file.exists():
            self.run("migrate")
            token_file.write_text(self.token(), encoding="utf-8")
        self.owner = token_file.read_text(encoding="utf-8")
        self.start().wait_until_ready()

    def ask(self, method, path, body=None, fields=None):
        return self.json(method, path, body, fields, self.owner)

    def alerts(self):
        status, document, _ = self.ask("GET", "/api/v1/admin/alerts?limit=500")
        expect(status == 200, f"GET alerts answered {status}")
        return document

    def delivery(self, identity):
        return next(item for item in self.alerts()["items"] if item["id"] == identity)

    def test(self, channel):
        status, document, _ = self.ask("POST", "/api/v1/admin/alerts/test", {"channel": channel})
        expect(status == 202, f"the test call answered {status}: {document}")
        return document["deliveries"][0]["id"]

    def until(self, identity, state):
        return eventually(
            lambda: (found := self.delivery(identity))["status"] == state and found, f"delivery is {state}")

    def thresholds(self, numbers):
        status, document, _ = self.ask("PUT", "/api/v1/admin/alerts/thresholds", {"thresholds": numbers})
        expect(status == 200, f"PUT thresholds answered {status}: {document}")

    def add_users(self, first, count):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        events = [{"id": str(uuid.uuid4()), "name": "app_opened", "timestamp": now,
                   "user_id": hashlib.sha256(str(number).encode()).hexdigest()}
                  for number in range(first, first + count)]
        status, document, _ = self.ask("POST", "/api/v1/analytics", {"events": events})
        expect(status == 202 and document["accepted"] == count, f"analytics answered {status}: {document}")


def check_signature(headers, body):
    timestamp = headers["X-SubGuard-Timestamp"]
    expect(abs(time.time() - int(timestamp)) < 120, f"the timestamp {timestamp} is not of now")
    wanted = hmac.new(SECRET.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    expect(hmac.compare_digest(headers["X-SubGuard-Signature"], f"sha256={wanted}"), "the signature is wrong")
    document = json.loads(body)
    expect(document["id"] == headers["X-SubGuard-Delivery"], "header and body name different deliveries")
    return document


def check_slack(body):
    document = json.loads(body)
    expect(document["text"] and len(document["blocks"]) >= 1, "a Slack message needs text and blocks")
    for block in Block.parse_all(document["blocks"]):
        block.validate_json()
    expect([block["type"] for block in document["blocks"]] == ["header", "section"], "other blocks than expected")


def check_mail(session, envelope):
    expect(session.ssl is not None, "the message did not come through TLS")
    expect(session.authenticated, "the sender did not authenticate")
    expect(envelope.mail_from == "alerts@example.org", f"MAIL FROM {envelope.mail_from}")
    expect(envelope.rcpt_tos == ["zoe@example.org", "ops@example.net"], f"RCPT TO {envelope.rcpt_tos}")
    message = email.message_from_bytes(envelope.content, policy=email.policy.default)
    expect(not message.defects and not any(value.defects for value in message.values()),
           f"the message has defects: {message.defects}")
    expect(message["From"].addresses[0].display_name == "Zoë’s SubGuard", f"From: {message['From']}")
    age = time.time() - message["Date"].datetime.timestamp()
    expect(abs(age) < 120, f"the message's date is {age} s off")
    for name in ("Message-ID", "MIME-Version", "Subject", "To"):
        expect(message[name], f"the message lacks {name}")
    return message


def webhook_ids(receiver):
    return [json.loads(body)["id"] for _, body in receiver.requests["hook"]]


def check_channels(server, receiver, mailbox):
    status, document, _ = server.ask("POST", "/api/v1/admin/alerts/test")
    expect(status == 202 and len(document["deliveries"]) == 3, f"the test call answered {status}: {document}")
    for delivery in document["deliveries"]:
        found = server.until(delivery["id"], "delivered")
        expect(found["attempts"] == 1 and found["next_attempt_at"] is None, f"{found}")
    check_slack(receiver.requests["slack"][-1][1])
    expect(check_signature(*receiver.requests["hook"][-1])["type"] == "test", "the webhook's type is not test")
    check_mail(*mailbox.messages.get(timeout=5))


def check_thresholds(server, receiver, mailbox):
    """Even if the count jumps past several thresholds at once, each fires once; the webhook fails first."""
    receiver.requests.clear()
    receiver.script["hook"].append((503, b"later", {}))
    server.thresholds([3, 5, 8, 1000])
    server.add_users(0, 10)
    fired = {entry["threshold"]: entry["user_count"] for entry in server.alerts()["thresholds"] if entry["fired_at"]}
    expect(fired == {3: 10, 5: 10, 8: 10}, f"fired: {fired}")
    items = [item for item in server.alerts()["items"] if item["kind"] == "threshold"]
    expect(sorted((item["threshold"], item["channel"]) for item in items)
           == sorted((number, channel) for number in (3, 5, 8) for channel in ("slack", "email", "webhook")),
           f"deliveries: {items}")
    found = [server.until(item["id"], "delivered") for item in items]
    expect(sorted(item["attempts"] for item in found) == [1] * 8 + [2], "one delivery takes two attempts")
    sent = [check_signature(headers, body) for headers, body in receiver.requests["hook"]]
    expect(sorted(document["threshold"] for document in sent if sent.count(document) == 1) == sorted(
        {3, 5, 8} - {document["threshold"] for document in sent if sent.count(document) > 1}), f"sent: {sent}")
    expect(len(set(webhook_ids(receiver))) == 3 and len(sent) == 4, "an attempt came under another id")
    for _, body in receiver.requests["slack"]:
        check_slack(body)
    expect(len(receiver.requests["slack"]) == 3, "Slack got more than three messages")
    subjects = sorted(check_mail(*mailbox.messages.get(timeout=5))["Subject"] for _ in range(3))
    expect(subjects == [f"SubGuard: {number} users reached" for number in (3, 5, 8)], f"subjects: {subjects}")
    # Neither more users nor removing and restoring a threshold fires it again.
    server.thresholds([8])
    server.thresholds([3, 5, 8, 1000])
    server.add_users(10, 1)
    again = [item for item in server.alerts()["items"] if item["kind"] == "threshold"]
    expect(len(again) == len(items), f"something fired twice: {again}")


def check_kill(start, server, receiver):
    """kill -9 during the first attempt: the alert is on disk and is delivered after the restart."""
    receiver.requests.clear()
    receiver.hold.clear()
    server.thresholds([3, 5, 8, 12, 1000])
    server.add_users(11, 1)
    eventually(lambda: receiver.requests["hook"], "the webhook is being sent")
    server.kill()
    receiver.hold.set()
    server = start()
    items = [item for item in server.alerts()["items"] if item["threshold"] == 12]
    expect(sorted(item["channel"] for item in items) == ["email", "slack", "webhook"], f"after the kill: {items}")
    for item in items:
        server.until(item["id"], "delivered")
    expect(len(set(webhook_ids(receiver))) == 1, "the second attempt came under another id")
    server.add_users(12, 1)
    expect(len([item for item in server.alerts()["items"] if item["threshold"] == 12]) == 3, "12 fired twice")
    return server


def rule(server, name, **changes):
    """Creates the rule, or replaces it if its `id` is given."""
    definition = {"name": name, "figure": "users", "comparison": "above", "value": 5, "window": "24h", **changes}
    identity = definition.pop("id", None)
    method, path = ("PUT", f"/{identity}") if identity else ("POST", "")
    status, document, _ = server.ask(method, f"/api/v1/admin/alerts/rules{path}", definition)
    expect(status in (200, 201), f"{method} of the rule answered {status}: {document}")
    return document["id"]


def of_rule(server, name):
    return [item for item in server.alerts()["items"] if item["rule"] == name]


def check_rules(start, server, receiver, mailbox):
    """A rule that is crossed fires once in each channel, also across kill -9, and its recovery is announced."""
    receiver.requests.clear()
    receiver.hold.clear()
    name = "Mehr als 5 “neue” Nutzer 🎉"
    more = rule(server, name)
    eventually(lambda: receiver.requests["hook"], "the webhook is being sent")
    server.kill()
    receiver.hold.set()
    server = start()
    fired = of_rule(server, name)
    expect(sorted(item["channel"] for item in fired) == ["email", "slack", "webhook"], f"after the kill: {fired}")
    for item in fired:
        server.until(item["id"], "delivered")
    document = check_signature(*receiver.requests["hook"][-1])
    expect((document["type"], document["rule_id"], document["measured"]) == ("rule.firing", more, 13), f"{document}")
    check_slack(receiver.requests["slack"][-1][1])
    subject = check_mail(*mailbox.messages.get(timeout=5))["Subject"]
    expect(name in subject, f"subject: {subject}")
    # A rule that measures the same and is muted says nothing.
    silent = rule(server, "Muted", muted_until="2100-01-01T00:00:00Z")
    eventually(lambda: server.ask("GET", f"/api/v1/admin/alerts/rules/{silent}")[1]["current"]["state"] == "firing",
               "the muted rule is evaluated")
    rule(server, name, id=more, value=1000)
    eventually(lambda: len(of_rule(server, name)) == 6, "the recovery is announced")
    for item in of_rule(server, name):
        server.until(item["id"], "delivered")
    document = check_signature(*receiver.requests["hook"][-1])
    expect((document["type"], document["rule_id"]) == ("rule.recovered", more), f"{document}")
    expect(len(set(webhook_ids(receiver))) == 2, "an attempt came under another id")
    expect(not of_rule(server, "Muted"), "a muted rule sent a message")
    return server


def check_dead_letter(server, mailbox):
    mailbox.refuse = "550 no such mailbox"
    identity = server.test("email")
    refused = server.until(identity, "dead")
    expect(refused["attempts"] == 1 and "550" in refused["last_error"], f"{refused}")
    expect(refused["next_attempt_at"] is None, f"{refused}")
    mailbox.refuse = None
    status, _, _ = server.ask("POST", f"/api/v1/admin/alerts/deliveries/{identity}/resend")
    expect(status == 202, f"resend answered {status}")
    found = server.until(identity, "delivered")
    expect(found["attempts"] == 2 and found["last_error"] is None, f"{found}")
    # libcurl says goodbye then, and the answer to that is not the reason.
    mailbox.refuse_recipient = "550 5.1.1 nobody of this name"
    refused = server.until(server.test("email"), "dead")
    expect("550 5.1.1 nobody of this name" in refused["last_error"], f"{refused}")
    mailbox.refuse_recipient = "450 4.2.0 greylisted"
    later = server.until(server.test("email"), "retrying")
    expect("450 4.2.0 greylisted" in later["last_error"], f"{later}")
    mailbox.refuse_recipient = None
    server.until(server.test("email"), "delivered")


def check_slack_gone(server, receiver):
    receiver.standing["slack"] = (404, b"no_service", {})
    dead = server.until(server.test("slack"), "dead")
    expect(dead["last_error"] == "HTTP 404 no_service", f"{dead}")

    def channel():
        return next(entry for entry in server.alerts()["channels"] if entry["channel"] == "slack")

    expect(channel()["disabled_reason"] == "HTTP 404 no_service" and channel()["disabled_at"], f"{channel()}")
    asked = len(receiver.requests["slack"])
    server.thresholds([3, 5, 8, 12, 13, 1000])
    untried = eventually(
        lambda: [item for item in server.alerts()["items"]
                 if item["threshold"] == 13 and item["channel"] == "slack" and item["status"] == "dead"],
        "the delivery to a disabled channel is given up")[0]
    expect(untried["attempts"] == 0 and len(receiver.requests["slack"]) == asked, f"{untried}")
    receiver.standing.clear()
    server.until(server.test("slack"), "delivered")
    expect(channel()["disabled_at"] is None, f"{channel()}")


def check_redirect(server, receiver):
    for place in ("http://169.254.169.254/latest/meta-data/", f"http://127.0.0.1:{receiver.port}/secret"):
        receiver.standing["hook"] = (307, b"", {"Location": place})
        dead = server.until(server.test("webhook"), "dead")
        expect("redirects are not followed" in dead["last_error"], f"{dead}")
    expect(not receiver.requests["secret"], "a redirect was followed")
    receiver.standing.clear()


def check_precondition(server):
    _, _, headers = server.ask("GET", "/api/v1/admin/alerts")
    match = {"If-Match": headers["ETag"]}
    status, _, _ = server.ask("PUT", "/api/v1/admin/alerts/thresholds", {"thresholds": [2000]}, match)
    expect(status == 200, f"PUT with the tag of now answered {status}")
    status, _, _ = server.ask("PUT", "/api/v1/admin/alerts/thresholds", {"thresholds": [3000]}, match)
    expect(status == 412, f"PUT with the earlier tag answered {status}")


def check_two_servers(binary, settings, receiver):
    receiver.requests.clear()
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        servers = [Server(binary, folder, settings, name) for name in ("one", "two")]
        try:
            servers[0].thresholds([10, 50, 90])
            calls = [threading.Thread(target=servers[turn % 2].add_users, args=(turn * 5, 5)) for turn in range(20)]
            for call in calls:
                call.start()
            for call in calls:
                call.join()
            for number in (10, 50, 90):
                items = [item for item in servers[0].alerts()["items"] if item["threshold"] == number]
                expect(len(items) == 1, f"{number} fired as {items}")
                servers[1].until(items[0]["id"], "delivered")
            expect(len(webhook_ids(receiver)) == 3, f"sent: {receiver.requests['hook']}")
            # Both evaluate the rule at once.
            receiver.requests.clear()
            identity = rule(servers[0], "Users", value=1000)
            calls = [threading.Thread(target=rule, args=(server, "Users"), kwargs={"id": identity})
                     for server in servers for _ in range(4)]
            for call in calls:
                call.start()
            for call in calls:
                call.join()
            fired = eventually(lambda: of_rule(servers[0], "Users"), "the rule fires")
            expect(len(fired) == 1, f"the rule fired as {fired}")
            servers[1].until(fired[0]["id"], "delivered")
            expect(len(webhook_ids(receiver)) == 1, f"sent: {receiver.requests['hook']}")
        finally:
            for server in servers:
                server.stop()


def check_guard(binary, receiver):
    """Unless private networks are allowed, nothing is delivered to this machine, in whatever notation its address
    is."""
    receiver.requests.clear()
    port = receiver.port
    for host in ("127.0.0.1", "localhost", "LOCALHOST", "2130706433", "0x7f000001", "0177.0.0.1", "127.1",
                 "0x7f.1", "0", "[::1]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:1]", "[::7f00:1]",
                 "169.254.169.254", "10.0.0.1", "[64:ff9b::7f00:1]", "[2002:7f00:1::1]", "[fe80::1]"):
        with tempfile.TemporaryDirectory() as directory:
            server = Server(binary, pathlib.Path(directory), {
                "ALERTS_WEBHOOK_URL": f"http://{host}:{port}/hook", "ALERTS_WEBHOOK_SECRET": "s"})
            try:
                dead = server.until(server.test("webhook"), "dead")
                expect("the target lies in a" in dead["last_error"], f"{host}: {dead}")
            finally:
                server.stop()
    expect(not receiver.requests["hook"], "a guarded target was reached")
    for url in (f"http://example.org@127.0.0.1:{port}/hook", f"http://127.0.0.1:{port}@example.org/",
                "http://[fe80::1%25eth0]/", "file:///etc/passwd", "gopher://127.0.0.1/", "http:///hook", "//x/"):
        with tempfile.TemporaryDirectory() as directory:
            done = subprocess.run(
                [binary, "config", "check"], text=True, capture_output=True,
                env={"SUBGUARD_ALERTS_WEBHOOK_URL": url, "SUBGUARD_ALERTS_WEBHOOK_SECRET": "s",
                     "SUBGUARD_DATABASE_URL": f"sqlite:{directory}/store"})
            expect(done.returncode != 0 and "SUBGUARD_ALERTS_WEBHOOK_URL" in done.stderr, f"{url} is taken: {done}")


def check_secrets(folder):
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.log"))
    expect('"alert"' in text, "no delivery was logged")
    for secret in (SECRET, PASSWORD, "p%40ss", "T000/B000/XXXX", base64.b64encode(PASSWORD.encode()).decode()):
        expect(secret not in text, "a secret is in the log")


def check(folder):
    binary = debug_binary("subguardd")
    # Some of the checks break connections on purpose.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore", DeprecationWarning)
    receiver, mailbox = Receiver(), Mailbox(folder)
    webhook = {
        "ALERTS_WEBHOOK_URL": f"http://127.0.0.1:{receiver.port}/hook", "ALERTS_WEBHOOK_SECRET": SECRET,
        "ALERTS_ALLOW_PRIVATE_TARGETS": "true"}
    settings = {
        **webhook,
        "ALERTS_SLACK_WEBHOOK_URL": f"http://127.0.0.1:{receiver.port}/services/T000/B000/XXXX",
        "ALERTS_SMTP_URL": f"smtp://alerts:p%40ss%3Aw0rd%2F%25@localhost:{mailbox.port}",
        "ALERTS_EMAIL_FROM": "Zoë’s SubGuard <alerts@example.org>",
        "ALERTS_EMAIL_TO": "zoe@example.org, ops@example.net",
        "ALERTS_CA_FILE": str(mailbox.certificate)}
    try:
        server = Server(binary, folder, settings)
        check_channels(server, receiver, mailbox)
        check_thresholds(server, receiver, mailbox)
        server = check_kill(lambda: Server(binary, folder, settings), server, receiver)
        while not mailbox.messages.empty():
            mailbox.messages.get()
        server = check_rules(lambda: Server(binary, folder, settings), server, receiver, mailbox)
        while not mailbox.messages.empty():
            mailbox.messages.get()
        check_dead_letter(server, mailbox)
        check_slack_gone(server, receiver)
        check_redirect(server, receiver)
        check_precondition(server)
        server.stop()
        # A certificate of an unknown authority: verification is on.
        untrusting = {name: value for name, value in settings.items() if name != "ALERTS_CA_FILE"}
        server = Server(binary, folder, untrusting)
        eventually(lambda identity=server.test("email"): server.delivery(identity)["last_error"],
                   "mail to a server with a certificate of no known authority fails")
        server.stop()
        check_secrets(folder)
        check_two_servers(binary, webhook, receiver)
        check_guard(binary, receiver)
    finally:
        mailbox.controller.stop()
        receiver.close()
    return "Slack, mail and webhook deliver, each threshold and rule once, also across kill -9 and two servers"


main("alerts", check)
