"""Checks a compose file without a container engine: its form, and that every service is locked down.

    PYTHONPATH=.build/tools python3 .ci/compose.py docker/compose.yaml
"""

import pathlib
import sys

import yaml

# The keys of the compose specification that this project uses, with the type each must have.
SERVICE_KEYS = {
    "build": dict, "image": str, "ports": list, "read_only": bool, "cap_drop": list, "security_opt": list,
    "mem_limit": str, "cpus": (int, float), "pids_limit": int, "ulimits": dict, "stop_grace_period": str,
    "restart": str, "profiles": list, "pull_policy": str, "depends_on": dict, "entrypoint": list, "command": list,
    "healthcheck": dict, "volumes": list, "environment": dict, "secrets": list,
    "tmpfs": list, "network_mode": str,
}
LOCKED_DOWN = {"read_only": True, "cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"]}


def problems(path):
    composition = yaml.safe_load(path.read_text())
    services = composition.get("services", {})
    if "server" not in services:
        yield "there is no service 'server'"
    for name, service in services.items():
        for key, value in service.items():
            if key not in SERVICE_KEYS:
                yield f"{name}: the key '{key}' is not one this check knows; correct it or add it here"
            elif not isinstance(value, SERVICE_KEYS[key]):
                yield f"{name}: '{key}' has a value of the wrong type: {value!r}"
        for key, value in LOCKED_DOWN.items():
            if service.get(key) != value:
                yield f"{name}: '{key}' must be {value!r}"
        for key in ("mem_limit", "cpus", "pids_limit", "restart"):
            if key not in service:
                yield f"{name}: '{key}' must be stated"
        for needed in service.get("depends_on", {}):
            if needed not in services:
                yield f"{name}: depends on '{needed}', which is no service"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                if not (path.parent / source).exists():
                    yield f"{name}: there is no file '{source}' to mount"
            elif source not in composition.get("volumes", {}):
                yield f"{name}: the volume '{source}' is not declared"
        for secret in service.get("secrets", []):
            if secret not in composition.get("secrets", {}):
                yield f"{name}: the secret '{secret}' is not declared"
        build = service.get("build")
        if build and not (path.parent / build["context"] / build["dockerfile"]).is_file():
            yield f"{name}: the Dockerfile '{build['dockerfile']}' is not in '{build['context']}'"


def main():
    path = pathlib.Path(sys.argv[1])
    found = list(problems(path))
    for problem in found:
        print(f"{path}: {problem}", file=sys.stderr)
    sys.exit(1 if found else 0)


main()
