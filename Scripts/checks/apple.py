"""Compare the server's verification of Apple's signed messages with Apple's own library and PyJWT.

Each case is a signed transaction. `app-store-server-library` and the server must both accept it or both reject it; if
they differ on purpose, the case gives the reason.
"""

import base64
import datetime
import hashlib
import hmac
import json
import time
import warnings

import jwt
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from harness import Receiver, Refusal, Server, debug_binary, main

APP = "app.example.subguard"
LEAF_MARK = x509.ObjectIdentifier("1.2.840.113635.100.6.11.1")
INTERMEDIATE_MARK = x509.ObjectIdentifier("1.2.840.113635.100.6.2.1")
NOW = int(time.time())
failures = []


class Chain:
    """Leaf, intermediate and root, all valid except for the given flaw."""

    def __init__(self, root=None, leaf_mark=True, intermediate_mark=True, authority=True, may_sign=True,
                 root_length=None,
                 leaf_days=(-300, 300), intermediate_days=(-600, 600), stranger=False, leaf_curve=None):
        self.root_key, self.root = root or self.make("Root", None, None, ca=(True, root_length), days=(-3000, 3000))
        middle_key, middle = self.make(
            "Intermediate", self.root_key, self.root, ca=(authority, 0 if authority else None), days=intermediate_days,
            mark=INTERMEDIATE_MARK if intermediate_mark else None, may_sign=may_sign)
        signing_key = ec.generate_private_key(ec.SECP256R1()) if stranger else middle_key
        self.key, leaf = self.make(
            "Leaf", signing_key, middle, ca=(False, None), days=leaf_days, mark=LEAF_MARK if leaf_mark else None,
            may_sign=False, curve=leaf_curve)
        self.certificates = [leaf, middle, self.root]

    @staticmethod
    def make(name, issuer_key, issuer, ca, days, mark=None, may_sign=True, curve=None):
        key = ec.generate_private_key(curve or ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"SubGuard {name}")])
        moment = datetime.datetime.fromtimestamp(NOW, datetime.timezone.utc)
        builder = (
            x509.CertificateBuilder().subject_name(subject)
            .issuer_name(issuer.subject if issuer is not None else subject)
            .public_key(key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(moment + datetime.timedelta(days=days[0]))
            .not_valid_after(moment + datetime.timedelta(days=days[1]))
            .add_extension(x509.BasicConstraints(ca=ca[0], path_length=ca[1]), critical=True)
            .add_extension(
                x509.KeyUsage(
                    digital_signature=not may_sign, content_commitment=False, key_encipherment=False,
                    data_encipherment=False, key_agreement=False, key_cert_sign=may_sign, crl_sign=may_sign,
                    encipher_only=False, decipher_only=False), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key((issuer_key or key).public_key()), critical=False))
        if mark:
            builder = builder.add_extension(x509.UnrecognizedExtension(mark, b"\x05\x00"), critical=False)
        return key, builder.sign(issuer_key or key, hashes.SHA256())

    def x5c(self):
        return [base64.b64encode(der(c)).decode() for c in self.certificates]


def der(certificate):
    return certificate.public_bytes(serialization.Encoding.DER)


def transaction(**changes):
    claims = {
        "transactionId": "20000001", "originalTransactionId": "20000001", "bundleId": APP,
        "productId": "premium.yearly",
        "purchaseDate": (NOW - 86_400) * 1000, "originalPurchaseDate": (NOW - 86_400) * 1000,
        "expiresDate": (NOW + 86_400 * 20) * 1000, "quantity": 1, "type": "Auto-Renewable Subscription",
        "inAppOwnershipType": "PURCHASED", "signedDate": NOW * 1000, "environment": "Production"}
    claims.update(changes)
    return {name: value for name, value in claims.items() if value is not None}


def part(value):
    text = json.dumps(value, separators=(",", ":")).encode() if not isinstance(value, bytes) else value
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def sign(chain, claims, algorithm="ES256", key=None, **header):
    fields = {"x5c": chain.x5c()}
    fields.update(header)
    return jwt.encode(claims, key or chain.key, algorithm=algorithm, headers=fields)


def table(root):
    """Name, message, and the reason why the two may differ; None if they must agree."""
    good = Chain(root=root)
    message = sign(good, transaction())
    head, body, signature = message.split(".")
    x5c = good.x5c()
    rsa_key = rsa.generate_private_key(65537, 2048)
    stranger = Chain()
    yield "good", message, None
    yield "good, family shared", sign(good, transaction(inAppOwnershipType="FAMILY_SHARED")), None
    yield "good, refunded", sign(good, transaction(revocationDate=NOW * 1000, revocationReason=0)), None
    yield "good, bought for good", sign(good, transaction(type="Non-Consumable", expiresDate=None)), None
    yield "good, unknown fields", sign(good, transaction(tomorrow={"a": [1, None]}, offerType=9)), None
    yield "good, signed last month", sign(good, transaction(signedDate=(NOW - 86_400 * 30) * 1000)), None
    yield "good, leaf expired since", sign(
        Chain(root=root, leaf_days=(-300, -1)), transaction(signedDate=(NOW - 86_400 * 30) * 1000)), None
    yield "no algorithm", ".".join([part({"alg": "none", "x5c": x5c}), body, ""]), None
    # PyJWT refuses to make such a token.
    secret_input = f"{part({'alg': 'HS256', 'x5c': x5c})}.{body}"
    yield "HS256 with the leaf as the secret", f"{secret_input}." + part(
        hmac.digest(base64.b64decode(x5c[0]), secret_input.encode(), "sha256")), None
    yield "RS256", sign(good, transaction(), algorithm="RS256", key=rsa_key), None
    yield "ES384", sign(
        Chain(root=root, leaf_curve=ec.SECP384R1()), transaction(), algorithm="ES384"), None
    yield "no chain", jwt.encode(transaction(), good.key, algorithm="ES256"), None
    yield "empty chain", sign(good, transaction(), x5c=[]), None
    yield "two certificates", sign(good, transaction(), x5c=x5c[:2]), None
    yield "four certificates", sign(good, transaction(), x5c=x5c + [x5c[2]]), None
    yield "turned round", sign(good, transaction(), x5c=x5c[::-1]), None
    yield "leaf and intermediate exchanged", sign(good, transaction(), x5c=[x5c[1], x5c[0], x5c[2]]), None
    yield "leaf twice", sign(good, transaction(), x5c=[x5c[0], x5c[0], x5c[2]]), None
    yield "another root", sign(stranger, transaction()), None
    yield "another root behind ours", sign(
        stranger, transaction(), x5c=stranger.x5c()[:2] + [x5c[2]]), None
    yield "another root's chain before our key", sign(good, transaction(), x5c=stranger.x5c()), None
    yield "base64url", sign(good, transaction(), x5c=[
        text.replace("+", "-").replace("/", "_").rstrip("=") for text in x5c]), None
    yield "no certificates", sign(good, transaction(), x5c=["AAAA", "AAAA", "AAAA"]), None
    for name, flaws in {
        "no mark on the leaf": {"leaf_mark": False}, "no mark in the middle": {"intermediate_mark": False},
        "no authority": {"authority": False}, "an issuer that may not sign": {"may_sign": False},
        "leaf expired": {"leaf_days": (-30, -1)}, "leaf not yet valid": {"leaf_days": (1, 30)},
        "intermediate expired": {"intermediate_days": (-30, -1)}, "leaf signed by another": {"stranger": True},
    }.items():
        yield name, sign(Chain(root=root, **flaws), transaction()), None
    other = sign(good, transaction(productId="premium.lifetime")).split(".")
    yield "payload of another", ".".join([head, other[1], signature]), None
    yield "signature of another", ".".join([head, body, other[2]]), None
    signature = good.key.sign(f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
    yield "signature in DER", ".".join([head, body, part(signature)]), None
    yield "no signature", ".".join([head, body, ""]), None
    yield "no message", "x", None
    yield "another app", sign(good, transaction(bundleId="app.example.other")), None
    yield "no app", sign(good, transaction(bundleId=None)), None
    yield "sandbox", sign(good, transaction(environment="Sandbox")), None
    yield "Xcode", sign(good, transaction(environment="Xcode")), None
    yield "LocalTesting", sign(good, transaction(environment="LocalTesting")), None
    yield "used up", sign(good, transaction(type="Consumable", expiresDate=None)), "gives no premium"
    yield "signed tomorrow", sign(good, transaction(signedDate=(NOW + 86_400) * 1000)), "lies ahead of the clock"
    yield "no purchase", sign(good, transaction(originalTransactionId=None)), "nothing to know it by"
    yield "critical header", sign(good, transaction(), crit=["x"], x=1), None


def identity_token(key, key_id, nonce, algorithm="RS256", **changes):
    claims = {
        "iss": "https://appleid.apple.com", "aud": APP, "sub": "001234.zoe", "iat": NOW, "exp": NOW + 600,
        "nonce": hashlib.sha256(nonce.encode()).hexdigest(), "email": "zoe@example.org", "email_verified": "true"}
    claims.update(changes)
    return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": key_id})


def check_identity_tokens(server, apple):
    """Returns the access token obtained with the valid one."""
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(apple.public_key()))
    token = None
    for number, (name, made, accepted) in enumerate([
        ("a good one", lambda n: identity_token(apple, "K1", n), True),
        ("one for another app", lambda n: identity_token(apple, "K1", n, aud="other"), False),
        ("one of another issuer", lambda n: identity_token(apple, "K1", n, iss="https://example.org"), False),
        ("one that has expired", lambda n: identity_token(apple, "K1", n, exp=NOW - 600), False),
        ("one for another nonce", lambda n: identity_token(apple, "K1", n + "x"), False),
        ("one of another key", lambda n: identity_token(rsa.generate_private_key(65537, 2048), "K1", n), False),
        ("one of an unknown key", lambda n: identity_token(apple, "K9", n), False),
        ("one signed with RS512", lambda n: identity_token(apple, "K1", n, algorithm="RS512"), False),
        ("one signed with PS256", lambda n: identity_token(apple, "K1", n, algorithm="PS256"), False),
        ("one signed with the public key as a secret",
         lambda n: identity_token(public["n"], "K1", n, algorithm="HS256"), False),
        ("one signed by nobody", lambda n: identity_token(None, "K1", n, algorithm="none"), False),
    ]):
        nonce = f"nonce-{number}"
        made_token = made(nonce)
        status, answer, _ = server.json("POST", "/api/v1/auth/apple", {"identity_token": made_token, "nonce": nonce})
        if (status == 200) != accepted or status not in (200, 401):
            failures.append(f"identity token, {name}: {status} {answer}")
        try:
            claims = jwt.decode(made_token, apple.public_key(), algorithms=["RS256"], audience=APP,
                                issuer="https://appleid.apple.com", options={"require": ["exp", "iat", "sub"]})
            judged = claims["nonce"] == hashlib.sha256(nonce.encode()).hexdigest()
        except jwt.PyJWTError:
            judged = False
        # The server chooses the key by name; PyJWT leaves that to its caller.
        if judged != accepted and jwt.get_unverified_header(made_token)["kid"] == "K1":
            failures.append(f"identity token, {name}: PyJWT says {judged}")
        if status == 200:
            token = answer["access_token"]
    return token


def check_transactions(server, root, token):
    verifier = SignedDataVerifier([der(root[1])], False, Environment.PRODUCTION, APP, 1234567890)
    counts = {"both take": 0, "both refuse": 0, "differ on purpose": 0}
    for name, message, reason in table(root):
        try:
            verifier.verify_and_decode_signed_transaction(message)
            library = True
        except Exception:  # any exception is a rejection
            library = False
        status, answer, _ = server.json(
            "POST", "/api/v1/premium/verify", {"signed_transaction": message}, token=token)
        if status not in (200, 422):
            failures.append(f"{name}: {status} {answer}")
        ours = status == 200
        if reason:
            counts["differ on purpose"] += 1
            if ours or not library:
                failures.append(f"{name} ({reason}): the library says {library}, the server {ours}")
        elif library != ours:
            failures.append(f"{name}: the library says {library}, the server {ours}: {answer}")
        elif name.startswith("good") != ours:
            failures.append(f"{name}: both say {ours}")
        else:
            counts["both take" if ours else "both refuse"] += 1
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def key_list(keys):
    """The public keys in the format that Apple publishes."""
    members = []
    for number, key in enumerate(keys):
        member = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
        members.append({"kty": "RSA", "kid": f"K{number + 1}", "use": "sig", "alg": "RS256", "n": member["n"],
            "e": member["e"]})
    return json.dumps({"keys": members}).encode()


def check(folder):
    warnings.simplefilter("ignore")
    chain = Chain()
    roots = folder / "root.pem"
    roots.write_bytes(chain.root.public_bytes(serialization.Encoding.PEM))
    apple = rsa.generate_private_key(65537, 2048)
    keys = key_list([apple])
    receiver = Receiver(lambda *_: (200, keys, {}))
    settings = {
        "APPLE_CLIENT_IDS": APP, "APP_STORE_BUNDLE_ID": APP, "APP_STORE_ROOT_CERTIFICATES": roots,
        "APPLE_KEYS_URL": f"http://127.0.0.1:{receiver.port}/auth/keys"}
    with Server(debug_binary("subguardd"), folder, settings) as server:
        token = check_identity_tokens(server, apple)
        counts = check_transactions(server, (chain.root_key, chain.root), token) if token else ""
    if failures:
        raise Refusal("\n".join(failures))
    return counts


if __name__ == "__main__":
    main("apple", check)
