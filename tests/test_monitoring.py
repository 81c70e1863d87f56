"""Dashboard and alerts: whole, told of, and about metrics that the service has."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.callers import player

DEPLOY = Path(__file__).parent.parent / "deploy"
RULES = [
    rule
    for group in yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
DASHBOARD = json.loads((DEPLOY / "grafana/twofold.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
NAME = re.compile(r"\b(?:twofold|process)_\w+\b")
SELECTOR = re.compile(r"\b((?:twofold|process)_\w+)\{([^}]*)\}")
OF_PROMETHEUS = {"job", "instance"}
each_rule = pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
each_panel = pytest.mark.parametrize("panel", PANELS, ids=[panel["title"] for panel in PANELS])


@pytest.fixture(scope="module")
def told(service) -> dict[str, set[str]]:
    """What the service tells after a game was played: each sample's name and its labels' names."""
    with player(service.url) as me:
        me.play(me.new(), 3)
    page = httpx.get(service.url + "/metrics", trust_env=False).text
    samples = [sample for family in text_string_to_metric_families(page) for sample in family.samples]
    names: dict[str, set[str]] = {}
    for sample in samples:
        names.setdefault(sample.name, set()).update(sample.labels)
    return names | {
        "twofold_bus_heard": set()
    }  # told only where there is a Redis: tests/faults/test_workers.py has one


def check(expression: str, told: dict[str, set[str]]) -> None:
    assert set(NAME.findall(expression)) <= set(told)
    for name, selector in SELECTOR.findall(expression):
        assert set(re.findall(r"(\w+)\s*(?:=|!)", selector)) - OF_PROMETHEUS <= told[name], name


def expressions_of(panel: dict[str, Any]) -> list[str]:
    return [target["expr"] for target in panel["targets"]]


@each_rule
def test_an_alert_is_about_what_the_service_tells(rule, told):
    assert NAME.search(rule["expr"]) or rule["expr"].startswith("up{")
    check(rule["expr"], told)


@each_rule
def test_an_alert_says_what_it_is_and_what_to_do(rule):
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert set(rule["annotations"]) == {"summary", "description"}
    assert all(len(text) > 10 for text in rule["annotations"].values())


def test_every_alert_has_its_row_and_every_row_its_alert():
    rows = re.findall(r"^\| `(\w+)` \((\w+)\) \|", (DEPLOY / "ALERTS.md").read_text(), re.M)

    assert rows == [(rule["alert"], rule["labels"]["severity"]) for rule in RULES]


@each_panel
def test_a_panel_is_about_what_the_service_tells(panel, told):
    assert panel["description"]
    for expression in expressions_of(panel):
        assert NAME.search(expression)
        check(expression, told)


def test_every_metric_of_ours_is_on_the_dashboard(told):
    shown = " ".join(expression for panel in PANELS for expression in expressions_of(panel))
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in told if name.startswith("twofold_")}

    assert {name for name in families if name not in shown} <= {"twofold_part_stopped", "twofold_bus_heard"}


def test_the_dashboard_is_one_that_grafana_can_lay_out():
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    taken = [
        (x, y) for at in places for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])
    ]

    assert len(ids) == len(set(ids))
    assert len(taken) == len(set(taken)) and max(x for x, _ in taken) < 24
    assert DASHBOARD["uid"] and DASHBOARD["schemaVersion"] >= 36
    assert {variable["name"] for variable in DASHBOARD["templating"]["list"]} == {"datasource", "instance"}
    assert all(panel["datasource"]["uid"] == "${datasource}" for panel in PANELS)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool: install Debian's prometheus")
@pytest.mark.parametrize("command", [("check", "rules", "alerts.yml"), ("test", "rules", "alerts_test.yml")])
def test_prometheus_takes_the_rules_and_they_fire_as_meant(command):
    done = subprocess.run(
        ["promtool", *command], cwd=DEPLOY / "prometheus", capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool: install Debian's prometheus")
def test_prometheus_takes_every_expression_of_the_dashboard(tmp_path):
    expressions = [expression for panel in PANELS for expression in expressions_of(panel)]
    rules = [
        {"record": f"panel:{number}", "expr": expression.replace("$__rate_interval", "1m").replace("$instance", ".*")}
        for number, expression in enumerate(expressions)
    ]
    (tmp_path / "panels.yml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))

    done = subprocess.run(
        ["promtool", "check", "rules", tmp_path / "panels.yml"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool: install Debian's prometheus")
def test_prometheus_finds_nothing_to_better_in_the_metrics(service):
    page = httpx.get(service.url + "/metrics", trust_env=False).text
    done = subprocess.run(["promtool", "check", "metrics"], input=page, capture_output=True, text=True, check=False)

    ours = [line for line in done.stderr.splitlines() if line.startswith("twofold")]
    assert ours == []
