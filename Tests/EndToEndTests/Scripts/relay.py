"""Stands between clients and a server on this machine: relay.py PORT.

Prints the port it listens at. Each line on standard input resets every connection that passes through it;
the end of the input ends it.
"""

import selectors
import socket
import struct
import sys

target = int(sys.argv[1])
listener = socket.create_server(("127.0.0.1", 0))
print(f"relay port={listener.getsockname()[1]}", flush=True)
selector = selectors.DefaultSelector()
selector.register(listener, selectors.EVENT_READ)
selector.register(sys.stdin, selectors.EVENT_READ)
others = {}


def end(side, reset):
    if side not in others:
        return  # It went with its other side.
    for one in (side, others.pop(side)):
        others.pop(one, None)
        selector.unregister(one)
        if reset:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()


while True:
    for key, _ in selector.select():
        source = key.fileobj
        if source is listener:
            client, _ = listener.accept()
            server = socket.create_connection(("127.0.0.1", target))
            for one, other in ((client, server), (server, client)):
                others[one] = other
                selector.register(one, selectors.EVENT_READ)
        elif source is sys.stdin:
            if not sys.stdin.readline():
                sys.exit(0)
            for side in list(others):
                end(side, reset=True)
        elif source in others:
            try:
                piece = source.recv(65536)
                if piece:
                    others[source].sendall(piece)
            except OSError:
                piece = b""
            if not piece:
                end(source, reset=False)
