"""A device that syncs with Saldo, in Python's standard library alone.

Written from docs/protocol.md (the rules named in comments) and fixtures/. It keeps a copy of the user's records and an
outbox in one SQLite file, and passes `saldo conformance --client 'python3 conformance_client.py'`.
"""

import calendar
import json
import sqlite3
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

COLLECTIONS = {
    "entries": "/api/entries",
    "settings_history": "/api/settings",
    "balance_adjustments": "/api/balance/adjustments",
}
ENTRY_KINDS = {
    *("work", "break", "vacation", "sick", "public_holiday", "time_off_in_lieu", "unpaid", "paid_other"),
    "vacation_grant",
}
SERVICE_FIELDS = {"id", "created_at", "updated_at", "version"}
MAX_CHANGES, MAX_BYTES = 1_000, 100_000  # D7.15
DAY_S = 86_400

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS base (
  kind TEXT, id TEXT, record TEXT, updated_at TEXT, version INTEGER, unconfirmed INTEGER, PRIMARY KEY (kind, id));
CREATE TABLE IF NOT EXISTS outbox (
  place INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT, id TEXT, content TEXT, updated_at TEXT, seq INTEGER,
  sent INTEGER DEFAULT 0, offer INTEGER DEFAULT 0, UNIQUE (kind, id));
CREATE TABLE IF NOT EXISTS rejected (kind TEXT, id TEXT, content TEXT, problem TEXT);
CREATE TABLE IF NOT EXISTS conflicts (kind TEXT, id TEXT, mine TEXT, theirs TEXT);
"""


class Rejected(Exception):
    """The service refuses a request; a retry would not change that."""

    def __init__(self, status, problem):
        super().__init__(problem.get("detail"))
        self.status, self.code, self.problem = status, problem.get("code", "internal"), problem


class Unreachable(Exception):
    """The service was not reached, or cannot carry the request out now. It may have done so (D7.7)."""

    def __init__(self, status=None):
        super().__init__(status)
        self.status = status


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Device:
    """The device of one user. `path` names its SQLite file."""

    def __init__(self, url, token, user, path):
        self.url, self.token, self.user = url.rstrip("/"), token, user
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; {SCHEMA}")
        self.opener = urllib.request.build_opener(NoRedirects)
        with Transaction(self.db):
            if self.meta("device") is None:
                self.set_meta(device=str(uuid.uuid4()), seq=0, version=0, tag=None, offset_ms=0, limit=MAX_CHANGES)

    def close(self):
        self.db.close()

    def meta(self, name, default=None):
        row = self.db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return default if row is None else json.loads(row[0])

    def set_meta(self, **values):
        rows = [(name, json.dumps(value)) for name, value in values.items()]
        self.db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)

    # What programs call

    def records(self, kind):
        """Returns the live records with unsent changes on top (D7.11), without unreadable ones (D7.28)."""
        rows = self.db.execute("SELECT id, record FROM base WHERE kind = ? AND record IS NOT NULL", (kind,))
        shown = {id: json.loads(record) for id, record in rows}
        for id, content, at in self.db.execute("SELECT id, content, updated_at FROM outbox WHERE kind = ?", (kind,)):
            shown.pop(id, None) if content is None else shown.update({id: self.shown(kind, id, content, at)})
        return [record for record in shown.values() if kind != "entries" or record.get("kind") in ENTRY_KINDS]

    def shown(self, kind, id, content, updated_at):
        before = self.base(kind, id)
        kept = {name: before[name] for name in ("created_at", "version") if before and name in before}
        return {"id": id, **json.loads(content), **kept, "updated_at": updated_at}

    def count(self, table):
        return self.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    def put(self, kind, content, id=None):
        """Creates a record, or replaces its content. Returns its id. Raises Rejected."""
        id = id or str(uuid.uuid4())  # R5.2
        self.mutate(kind, id, {name: value for name, value in content.items() if name not in SERVICE_FIELDS})
        return id

    def delete(self, kind, id):
        self.mutate(kind, id, None)

    def mutate(self, kind, id, content):
        """Queues a change durably (D7.5), and sends it at once if nothing else waits (R5.1)."""
        with Transaction(self.db):
            is_alone = self.count("outbox") == 0
            self.enqueue(kind, id, content, self.time_after(kind, id))
        row = self.outbox_row(kind, id)
        if not is_alone or row is None:
            return
        self.mark_sent([row])
        try:
            status, body, headers = self.request(*self.direct_request(row))
        except Unreachable:
            return
        except Rejected as error:
            if error.status == 401:
                return  # D7.9
            if error.status != 404 or "saldo-version" not in error.headers:
                self.remove(row)  # D7.10
                raise
            status, body, headers = 204, None, error.headers
        stored = body if status != 204 else None
        version = stored["version"] if stored else int(headers["saldo-version"])
        at = stored["updated_at"] if stored else headers["saldo-updated-at"]
        with Transaction(self.db):
            self.settle(row, stored, at, version, has_won=at == row["updated_at"])

    def direct_request(self, row):
        stamp = {"updated_at": row["updated_at"], "device": self.meta("device"), "seq": row["seq"]}
        path = f"{COLLECTIONS[row['kind']]}/{row['id']}?{urllib.parse.urlencode(stamp)}"
        return ("DELETE", path, None) if row["content"] is None else ("PUT", path, self.pushed(row))

    def sync(self):
        """Pushes, then pulls, until nothing is left to do or something is in the way (D7.23)."""
        try:
            for _ in range(20):
                self.push()
                self.pull()
                if self.count("outbox") == 0 and not self.compare_digests():
                    return
        except (Unreachable, Rejected):
            return  # What waits stays in the outbox.

    # The outbox

    def time_after(self, kind, id):
        """Returns now by the service's clock, and later than the state that is edited (D7.3)."""
        row, base = self.outbox_row(kind, id), self.db.execute(
            "SELECT updated_at FROM base WHERE kind = ? AND id = ?", (kind, id)
        ).fetchone()
        states = [ms_of(at) + 1 for at in [row and row["updated_at"], base and base[0]] if at]
        return instant(max([int(time.time() * 1000) + self.meta("offset_ms"), *states]))

    def enqueue(self, kind, id, content, updated_at, offer=0):
        """Keeps one row for each record, in the place where it was first queued (D7.12, D7.13)."""
        before = self.outbox_row(kind, id)
        if before and content is None and not before["sent"] and self.base(kind, id) is None:
            return self.remove(before)  # D7.14
        self.set_meta(seq=self.meta("seq") + 1)
        text = None if content is None else json.dumps(content)
        self.db.execute(
            "INSERT INTO outbox (kind, id, content, updated_at, seq, offer) VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (kind, id) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at, "
            "seq = excluded.seq, offer = excluded.offer",
            (kind, id, text, updated_at, self.meta("seq"), offer),
        )

    def outbox_row(self, kind, id):
        rows = self.outbox("WHERE kind = ? AND id = ?", (kind, id))
        return rows[0] if rows else None

    def outbox(self, condition, values=()):
        names = ("place", "kind", "id", "content", "updated_at", "seq", "sent", "offer")
        rows = self.db.execute(f"SELECT {', '.join(names)} FROM outbox {condition}", values)
        return [dict(zip(names, row)) for row in rows]

    def mark_sent(self, rows):
        self.db.executemany("UPDATE outbox SET sent = 1 WHERE place = ?", [(row["place"],) for row in rows])

    def remove(self, row):
        """Removes a row, unless a later change of the record has replaced the one that was sent (D7.16)."""
        self.db.execute("DELETE FROM outbox WHERE place = ? AND seq = ?", (row["place"], row["seq"]))

    def pushed(self, row):
        return {"id": row["id"], **json.loads(row["content"]), "updated_at": row["updated_at"]}

    def change(self, row):
        head = {"kind": row["kind"], "seq": row["seq"]}
        if row["content"] is None:
            return {**head, "op": "delete", "id": row["id"], "updated_at": row["updated_at"]}
        return {**head, "op": "upsert", "record": self.pushed(row)}

    def push(self):
        while True:
            batch, size = [], 0
            for row in self.outbox("ORDER BY place LIMIT ?", (self.meta("limit"),)):
                size += len(json.dumps(self.change(row)))
                if batch and size > MAX_BYTES:
                    break
                batch.append(row)
            if not batch:
                return
            self.mark_sent(batch)
            body = {"device": self.meta("device"), "changes": [self.change(row) for row in batch]}
            try:
                _, answer, _ = self.request("POST", "/api/sync/push", body)
            except Rejected as error:
                if error.status == 401:
                    raise
                self.isolate(batch, error.problem)  # D7.18
                continue
            except Unreachable as error:
                if error.status != 500 or self.meta("failures", 0) < 2:  # D7.19
                    self.set_meta(failures=self.meta("failures", 0) + 1 if error.status == 500 else 0)
                    raise
                self.isolate(batch, {"code": "internal"})
                continue
            with Transaction(self.db):
                self.set_meta(limit=min(MAX_CHANGES, self.meta("limit") * 2), failures=0)
                for row, result in zip(batch, answer["results"]):
                    self.settle_result(row, result)

    def isolate(self, batch, problem):
        """Halves the batch until the change that is at fault is alone."""
        with Transaction(self.db):
            if len(batch) > 1:
                self.set_meta(limit=len(batch) // 2)
            else:
                self.reject(batch[0], problem)

    def reject(self, row, problem):
        values = (row["kind"], row["id"], row["content"], json.dumps(problem))
        self.db.execute("INSERT INTO rejected VALUES (?, ?, ?, ?)", values)  # D7.20
        self.remove(row)

    def settle_result(self, row, result):
        status = result["status"]
        if status == "rejected":
            self.reject(row, result["problem"])
        elif status == "skipped":
            self.remove(row)
        else:
            mine = None if row["content"] is None else self.pushed(row)
            stored = result.get("record") if status == "superseded" else mine
            self.settle(row, stored, result["updated_at"], result["version"], has_won=status != "superseded")

    def settle(self, row, stored, updated_at, version, has_won):
        """Takes what the service has now. Where that is another content, the change lost (D7.21, D7.22, D7.58)."""
        mine = None if row["content"] is None else json.loads(row["content"])
        is_same = (mine is None) == (stored is None) and all(
            name in stored and stored[name] == value for name, value in (mine or {}).items()
        )
        if not has_won and not is_same and not row["offer"]:
            values = (row["kind"], row["id"], row["content"], json.dumps(stored))
            self.db.execute("INSERT INTO conflicts VALUES (?, ?, ?, ?)", values)
        before = self.base(row["kind"], row["id"]) or {}
        kept = {"created_at": before["created_at"]} if "created_at" in before else {}
        record = stored and {**kept, **stored, "updated_at": updated_at, "version": version}
        # A pull has passed this version already, or will bring it (D7.27).
        self.store(row["kind"], row["id"], record, updated_at, version, version > self.meta("version"))
        self.remove(row)

    # The copy

    def base(self, kind, id):
        row = self.db.execute("SELECT record FROM base WHERE kind = ? AND id = ?", (kind, id)).fetchone()
        return json.loads(row[0]) if row and row[0] else None

    def store(self, kind, id, record, updated_at, version, unconfirmed=False):
        """Stores what the service has; null is a tombstone. Never replaces a later version (D7.26)."""
        self.db.execute(
            "INSERT INTO base VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET record = excluded.record, "
            "updated_at = excluded.updated_at, version = excluded.version, unconfirmed = excluded.unconfirmed "
            "WHERE excluded.version >= base.version",
            (kind, id, None if record is None else json.dumps(record), updated_at, version, int(unconfirmed)),
        )

    def pull(self):
        cold_starts = 0
        while True:
            since, tag = self.meta("version"), self.meta("tag")
            try:
                _, page, _ = self.request("GET", f"/api/sync/pull?since={since}")
            except Rejected as error:
                if error.status != 410 or cold_starts == 3:
                    raise
                page = None
            if page is None or self.is_reset(page, since, tag):
                cold_starts += 1
                self.cold_start(is_reset=page is not None)  # R5.5, D7.35
                self.push()
                continue
            with Transaction(self.db):  # D7.25
                for kind, records in page["changes"].items():
                    for record in records:
                        self.store(kind, record["id"], record, record["updated_at"], record["version"])
                for kind, tombstones in page["deleted"].items():
                    for each in tombstones:
                        self.store(kind, each["id"], None, each["updated_at"], each["version"])
                self.set_meta(version=page["version"], tag=page["tag"])
            if not page["has_more"]:
                missing = "SELECT 1 FROM base WHERE unconfirmed AND version <= ?"
                if self.db.execute(missing, (page["version"],)).fetchone() is None:
                    return
                cold_starts += 1
                self.cold_start(is_reset=True)  # D7.36
                self.push()

    def is_reset(self, page, since, tag):
        other_tag = tag is not None and page["since_tag"] is not None and page["since_tag"] != tag
        return other_tag or page["version"] < since  # D7.35, D7.38

    def cold_start(self, is_reset):
        """Replaces the copy by a snapshot, in one transaction once it is complete (D7.30)."""
        snapshot, cursor = {}, None
        while True:
            query = "" if cursor is None else "?" + urllib.parse.urlencode({"cursor": cursor})
            _, page, _ = self.request("GET", f"/api/sync/pull{query}")
            for kind, records in page["changes"].items():
                snapshot.update({(kind, record["id"]): record for record in records})
            cursor = page.get("cursor")
            if not page["has_more"]:
                break
        with Transaction(self.db):
            self.offer(snapshot, is_reset)
            self.db.execute("DELETE FROM base WHERE record IS NOT NULL")
            self.db.execute("UPDATE base SET version = 0, unconfirmed = 0")
            for (kind, id), record in snapshot.items():
                self.store(kind, id, record, record["updated_at"], record["version"])
            self.set_meta(version=page["version"], tag=page["tag"], compare=True)

    def offer(self, snapshot, is_reset):
        """Queues what the service has lost, with the time that it had (D7.29, D7.32, D7.33)."""
        rows = self.db.execute("SELECT kind, id, record, updated_at, unconfirmed FROM base").fetchall()
        for kind, id, record, updated_at, unconfirmed in rows:
            there = snapshot.get((kind, id))
            is_known = there is not None and there["updated_at"] >= updated_at
            is_old_tombstone = record is None and not unconfirmed and not is_reset
            if kind not in COLLECTIONS or is_known or is_old_tombstone or self.outbox_row(kind, id):
                continue
            content = record and {
                name: value for name, value in json.loads(record).items() if name not in SERVICE_FIELDS
            }
            self.enqueue(kind, id, content, updated_at, offer=1)

    # Digests (D10)

    def compare_digests(self):
        """Compares the copy with the service's digests if it is time. Returns true after a cold start."""
        is_due = self.meta("compare", False) or time.time() - self.meta("compared_at", 0) > DAY_S
        if not is_due or self.db.execute("SELECT 1 FROM base WHERE unconfirmed").fetchone():
            return False
        if time.time() < self.meta("given_up_until", 0):
            return False
        try:
            _, theirs, _ = self.request("GET", "/api/sync/digest")
        except Rejected:
            self.set_meta(compare=False, compared_at=time.time())  # D10.14
            return False
        if (theirs["version"], theirs["tag"]) != (self.meta("version"), self.meta("tag")):
            return False
        ours = self.digests()
        kinds = [kind for kind in theirs["kinds"] if kind in ours or theirs["kinds"][kind]["count"]]
        is_equal = all(ours.get(kind) == theirs["kinds"][kind] for kind in kinds)
        is_healing = self.meta("healing", False)
        self.set_meta(compare=False, compared_at=time.time(), healing=not is_equal and not is_healing)
        if is_equal:
            return False
        if is_healing:
            self.set_meta(given_up_until=time.time() + DAY_S)  # D10.12
            return False
        self.cold_start(is_reset=False)
        return True

    def digests(self):
        sums = {}
        for kind, record in self.db.execute("SELECT kind, record FROM base WHERE record IS NOT NULL"):
            count, total = sums.get(kind, (0, 0))
            sums[kind] = (count + 1, total ^ hash_of(canonical(json.loads(record))))
        return {kind: {"count": count, "digest": f"{total:016x}"} for kind, (count, total) in sums.items()}

    # Requests

    def request(self, method, path, body=None):
        """Returns status, body and headers (in lower case). Raises Unreachable and Rejected."""
        headers = {"Authorization": f"Bearer {self.token}", "Saldo-User": str(self.user)}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
        began = time.monotonic()
        try:
            with self.opener.open(request, timeout=30) as response:  # D7.8
                status, text, got = response.status, response.read(), response.headers
        except urllib.error.HTTPError as error:
            status, text, got = error.code, error.read(), error.headers
        except OSError as error:
            raise Unreachable() from error
        got = {name.lower(): value for name, value in got.items()}
        if "saldo-protocol" not in got:
            raise Unreachable()  # A captive portal, or a proxy.
        try:
            parsed = json.loads(text) if text else None
        except ValueError as error:
            raise Unreachable(status) from error
        if status in (408, 425, 429) or status >= 500:
            raise Unreachable(status)
        if status >= 300:
            error = Rejected(status, parsed if isinstance(parsed, dict) else {})
            error.headers = got
            raise error
        if isinstance(parsed, dict) and "server_time" in parsed and time.monotonic() - began < 60:  # D7.4
            self.set_meta(offset_ms=ms_of(parsed["server_time"]) - int(time.time() * 1000))
        return status, parsed, got


class Transaction:
    """Commits all statements of a block, or none."""

    def __init__(self, db):
        self.db = db

    def __enter__(self):
        self.db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind, *_):
        self.db.execute("COMMIT" if kind is None else "ROLLBACK")


def instant(ms):
    """Writes an instant (D1.4)."""
    whole, rest = divmod(ms, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{rest:03d}Z"


def ms_of(text):
    """Reads an instant as the service writes it."""
    return calendar.timegm(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")) * 1000 + int(text[20:23])


def canonical(value):
    """Writes a value as RFC 8785 does: keys in the order of UTF-16, numbers as in JavaScript."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        return number_text(value)
    return json.dumps(value, ensure_ascii=False)


def number_text(value):
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa
    power = int(exponent)
    if -7 < power < 0:
        return f"{value:.{len(mantissa.replace('.', '').lstrip('-')) - 1 - power}f}"
    return f"{mantissa}e{'+' if power > 0 else '-'}{abs(power)}"


def hash_of(text):
    """Hashes the UTF-16 code units of a text to 64 bits (D10.5)."""
    data = text.encode("utf-16-be", "surrogatepass")
    units = [data[at] << 8 | data[at + 1] for at in range(0, len(data), 2)]
    return _half(units, 0x9E3779B1) << 32 | _half(units, 0x85EBCA77)


def _half(units, multiplier):
    h = multiplier
    for unit in units:
        h = ((h ^ (h >> 15)) ^ unit) * multiplier & 0xFFFFFFFF
    return h ^ (h >> 15)
