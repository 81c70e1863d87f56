"""What `deploy/` names exists in the service, and its figures fit together with the service's own."""

import re
from typing import Any

import pytest
import uvicorn
from fastapi.routing import iter_route_contexts

from tests.deploy.files import all_files, compose, config_map, env_example, manifest, pods, seconds, text, unit
from tests.deploy.tools import ROOT
from twofold import __version__
from twofold.clock import SECOND
from twofold_cli.servers import SERVER, TOKEN
from twofold_service.__main__ import EXIT_WITHIN
from twofold_service.api.handshake import PATH as LIVE
from twofold_service.api.interface import undeployed_api
from twofold_service.api.readiness import WITHIN as STORAGE_WITHIN
from twofold_service.settings import Settings
from twofold_service.wire.session import PING_EVERY

SETTINGS = {f"TWOFOLD_{name.upper()}" for name in Settings.model_fields}
PORT = Settings.model_fields["port"].default
DRAINED = EXIT_WITHIN + 1
IDLE_CLOSED = uvicorn.Config("").timeout_keep_alive
LARGEST = max(Settings.model_fields[name].default for name in ("body_bytes", "slides_bytes", "record_bytes"))
KEPT_INSIDE = {"/metrics", "/readyz"}


def paths() -> set[str]:
    """Every path of the service, its parameters spelled out."""
    templates = {context.path_format or "/" for context in iter_route_contexts(undeployed_api().routes)}
    return {re.sub(r"{\w+}", "x", template) for template in templates} | {LIVE}


@pytest.mark.parametrize("path", all_files(), ids=lambda path: path.name)
def test_every_setting_named_in_a_file_is_one(path):
    named = set(re.findall(r"TWOFOLD_[A-Z_]*[A-Z]", path.read_text()))

    assert named <= SETTINGS | {SERVER, TOKEN}


@pytest.mark.parametrize(
    "given",
    [
        lambda: compose()["services"]["twofold"]["environment"],
        config_map,
        env_example,
    ],
    ids=["compose", "kubernetes", "systemd"],
)
def test_the_service_accepts_the_settings_it_is_given(given, monkeypatch):
    for name, value in given().items():
        monkeypatch.setenv(name, value)

    settings = Settings(_env_file=None)

    assert settings.trusted_proxies


def test_every_file_names_the_services_port():
    service, (port,) = compose()["services"]["twofold"], pods()["Deployment"]["containers"][0]["ports"]
    named = {
        "EXPOSE": re.findall(r"^EXPOSE (\d+)$", text("Dockerfile"), re.MULTILINE),
        "TWOFOLD_PORT": re.findall(r"TWOFOLD_PORT=(\d+)", text("Dockerfile")),
        "compose": service["expose"],
        "caddy of compose": [compose()["services"]["caddy"]["environment"]["UPSTREAMS"].rpartition(":")[2]],
        "pod": [port["containerPort"]],
        "Service": [manifest("Service")["spec"]["ports"][0]["port"]],
        "Caddyfile": re.findall(r"{\$UPSTREAMS:127\.0\.0\.1:(\d+)}", text("caddy/Caddyfile")),
        "nginx": re.findall(r"^server 127\.0\.0\.1:(\d+)", text("nginx/twofold/upstreams.conf"), re.MULTILINE),
    }

    assert {name: [*map(int, found)] for name, found in named.items()} == {name: [PORT] for name in named}


def test_every_probe_asks_a_path_that_the_service_has():
    container = pods()["Deployment"]["containers"][0]
    probes = [container[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")]
    asked = [
        *probes,
        *re.findall(r"health_uri (\S+)", text("caddy/Caddyfile")),
        *re.findall(r"\+ '(/\w+)'", text("Dockerfile")),
        *re.findall(r"location = (/\w+)", text("nginx/twofold.conf")),
    ]

    assert asked == ["/healthz", "/healthz", "/readyz", "/readyz", "/readyz", "/metrics"]
    assert set(asked) <= paths()


def test_the_ingress_routes_every_path_but_those_kept_inside():
    (rule,) = manifest("Ingress")["spec"]["rules"]

    def is_routed(path: str) -> bool:
        return any(
            path == route["path"] or (route["pathType"] == "Prefix" and path.startswith(route["path"] + "/"))
            for route in rule["http"]["paths"]
        )

    assert {path for path in paths() if not is_routed(path)} == KEPT_INSIDE


def test_images_are_of_this_release_and_none_is_just_the_latest():
    images = [service["image"] for service in compose()["services"].values()]
    images += [container["image"] for pod in pods().values() for container in pod["containers"]]
    bases = re.findall(r"^ARG BASE=(\S+)$", text("Dockerfile"), re.MULTILINE)

    tags = {image.rpartition("/")[2]: image.rpartition(":")[2] for image in images + bases}

    assert "latest" not in tags.values() and all(":" in name for name in tags)
    assert {tag for name, tag in tags.items() if name.startswith("twofold:")} == {__version__}
    assert f"-t twofold:{__version__} " in text("Dockerfile")


def test_whoever_stops_the_service_waits_until_it_has_drained():
    pod = pods()["Deployment"]
    before = pod["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]

    assert pod["terminationGracePeriodSeconds"] > before + DRAINED
    assert seconds(compose()["services"]["twofold"]["stop_grace_period"]) > DRAINED
    assert float(unit("TimeoutStopSec")[0]) > DRAINED
    assert "STOPSIGNAL SIGTERM" in text("Dockerfile")


def test_a_pod_is_out_of_the_service_before_it_drains():
    container = pods()["Deployment"]["containers"][0]
    probe = container["readinessProbe"]

    assert container["lifecycle"]["preStop"]["sleep"]["seconds"] > probe["periodSeconds"] * probe["failureThreshold"]
    assert probe["timeoutSeconds"] > STORAGE_WITHIN


def test_no_proxy_gives_a_live_connection_up_between_two_pings():
    notes = manifest("Ingress")["metadata"]["annotations"]
    waits = [
        *re.findall(r"proxy_(?:read|send)_timeout (\w+);", text("nginx/twofold.conf")),
        *(notes[f"nginx.org/proxy-{way}-timeout"] for way in ("read", "send")),
        *(f"{notes[f'nginx.ingress.kubernetes.io/proxy-{way}-timeout']}s" for way in ("read", "send")),
    ]

    assert len(waits) == 6
    assert min(map(seconds, waits)) >= 2 * PING_EVERY / SECOND


def test_a_proxy_forgets_an_idle_connection_before_the_service_closes_it():
    kept = re.findall(r"^\s*keepalive (\w+)$", text("caddy/Caddyfile"), re.MULTILINE)
    kept += re.findall(r"^\s*keepalive_timeout (\w+);", text("nginx/twofold.conf"), re.MULTILINE)

    assert len(kept) == 2
    assert max(map(seconds, kept)) < IDLE_CLOSED


def test_a_proxy_leaves_the_refusal_of_large_bodies_to_the_service():
    notes = manifest("Ingress")["metadata"]["annotations"]
    limits = re.findall(r"max_size (\d+)MiB", text("caddy/Caddyfile"))
    limits += re.findall(r"client_max_body_size (\d+)m;", text("nginx/twofold.conf"))
    limits += [notes[name].removesuffix("m") for name in notes if name.endswith("-body-size")]

    assert len(limits) == 4
    assert LARGEST < min(map(int, limits)) << 20 <= LARGEST + (1 << 20)


def test_pods_get_no_variables_from_services_that_could_pass_for_settings():
    assert manifest("Service")["metadata"]["name"].upper() == "TWOFOLD"
    assert [pod["enableServiceLinks"] for pod in pods().values()] == [False, False]


def test_every_pod_is_restricted():
    for pod in pods().values():
        (container,) = pod["containers"]
        assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert container["resources"]["limits"]["memory"] and container["resources"]["requests"]["cpu"]
        assert pod["automountServiceAccountToken"] is False


def test_what_selects_pods_selects_those_of_the_service():
    labels = manifest("Deployment")["spec"]["template"]["metadata"]["labels"]

    def chosen(selector: dict[str, Any]) -> bool:
        return bool(selector) and selector.items() <= labels.items()

    assert chosen(manifest("Service")["spec"]["selector"])
    assert chosen(manifest("PodDisruptionBudget")["spec"]["selector"]["matchLabels"])
    assert chosen(manifest("NetworkPolicy")["spec"]["podSelector"]["matchLabels"])
    assert (
        not manifest("Service")["spec"]["selector"].items()
        <= manifest("Job")["spec"]["template"]["metadata"]["labels"].items()
    )
    target = manifest("HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", manifest("Deployment")["metadata"]["name"])


def test_every_service_of_compose_is_watched_limited_and_started_again():
    for name, service in compose()["services"].items():
        assert "healthcheck" in service or name == "twofold", name  # its image has one
        assert {"cpus", "memory"} <= service["deploy"]["resources"]["limits"].keys(), name
        assert service["restart"] == "unless-stopped", name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "ports" not in service or name == "caddy", name
    assert "HEALTHCHECK" in text("Dockerfile")
    assert compose()["networks"]["back"]["internal"] is True


def test_compose_believes_caddy_alone():
    services = compose()["services"]

    trusted = services["twofold"]["environment"]["TWOFOLD_TRUSTED_PROXIES"]

    assert trusted == services["caddy"]["networks"]["front"]["ipv4_address"]


def test_the_image_is_made_from_what_its_steps_copy():
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        name
        for line in re.findall(r"^COPY (?!--from)(.+) \S+$", text("Dockerfile"), re.MULTILINE)
        for name in line.split()
    }

    assert {name.partition("/")[0] for name in let_in} == copied
    assert all((ROOT / name).exists() for name in let_in)


def test_every_file_that_the_readme_has_one_install_is_there():
    named = re.findall(r"(?<![\w/])deploy/[\w./-]*\w", text("README.md"))

    assert len(named) >= 6
    assert [name for name in named if name != "deploy/.env" and not (ROOT / name).exists()] == []
