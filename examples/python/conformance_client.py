"""Lets the conformance kit drive the device: commands on standard input, answers on standard output, as JSON lines.

    saldo conformance --client 'python3 examples/python/conformance_client.py'
"""

import json
import os
import sys

from saldo_sync import Device, Rejected

device = None


def carry_out(command):
    global device
    match command:
        case {"do": "open", "url": url, "token": token, "user": user, "folder": folder}:
            device = Device(url, token, user, os.path.join(folder, "device.db"))
        case {"do": "create", "kind": kind, "content": content}:
            return {"id": device.put(kind, content)}
        case {"do": "update", "kind": kind, "id": id, "content": content}:
            device.put(kind, content, id)
        case {"do": "delete", "kind": kind, "id": id}:
            device.delete(kind, id)
        case {"do": "sync"}:
            device.sync()
        case {"do": "records", "kind": kind}:
            return {"records": device.records(kind)}
        case {"do": "status"}:
            names = {"pending": "outbox", "rejected": "rejected", "overridden": "conflicts"}
            return {name: device.count(table) for name, table in names.items()}
        case {"do": "close"}:
            device.close()
    return {}


for line in sys.stdin:
    try:
        answer = {"ok": True, **carry_out(json.loads(line))}
    except Rejected as error:
        answer = {"ok": False, "code": error.code}
    print(json.dumps(answer), flush=True)
