"""Programs of the release build, started on processors of their own."""

import json
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RELEASE = os.path.join(ROOT, ".build", "release")
RELAY = os.path.join(RELEASE, "floor-relay")


def processors():
    """One processor for the server, one for the load; where there is one, nothing can be measured."""
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[-1] if len(allowed) < 2 else allowed[1], allowed[0]


SERVER_PROCESSOR, LOAD_PROCESSOR = processors()


def require_two_processors():
    """For all that measures."""
    if SERVER_PROCESSOR == LOAD_PROCESSOR:
        raise SystemExit("this needs two processors: one for the server, one for the load")


ALLOWED = os.sched_getaffinity(0)


def everywhere_pinned():
    os.sched_setaffinity(0, ALLOWED)


def pinned(processor):
    return lambda: os.sched_setaffinity(0, {processor})


class Server:
    """A server, or the relay it is compared with, until the block is left."""

    def __init__(self, kind, *flags, everywhere=False):
        """everywhere: on all processors, that of the load too."""
        if kind == "floor":
            command = [RELAY]
        else:
            storage = [] if "--data" in flags else ["--memory"]
            command = [os.path.join(RELEASE, "catrace-server"), "--port", "0", "--log-level", "error", *storage, *flags]
        self.log = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=self.log,
            preexec_fn=everywhere_pinned if everywhere else pinned(SERVER_PROCESSOR),
            text=True,
        )
        line = self.process.stdout.readline()
        if "port=" not in line:
            self.log.seek(0)
            raise SystemExit(f"{' '.join(command)} does not start: {line}{self.log.read()}")
        self.port = int(line.rsplit("port=", 1)[1])
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def processor_seconds(self):
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self):
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def load(server, kind, *flags):
    """A run of catrace-load against the server: its report. Fails when anything in it went wrong."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [os.path.join(RELEASE, "catrace-load"), "--connect", f"127.0.0.1:{server.port}"]
        command += ["--server-pid", str(server.pid), "--json", file.name, *map(str, flags)]
        if kind == "floor":
            command.append("--floor")
        done = subprocess.run(
            command, preexec_fn=pinned(LOAD_PROCESSOR), capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return json.load(file)
