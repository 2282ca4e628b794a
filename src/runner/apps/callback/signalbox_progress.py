# Reports the progress of a run to Signalbox: each line is a JSON object with the whole state. Ansible
# loads this callback beside those of the run. Its errors are ignored, so that it never breaks a run.
# It works with ansible-core 2.12 and later.

from __future__ import annotations

import functools
import json
import os
import time

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
    name: signalbox_progress
    type: aggregate
    short_description: progress for Signalbox
    description:
      - Writes play, task and counts of hosts to the file that SIGNALBOX_PROGRESS_FILE names.
"""

# Seconds between two reports of results; the start of a play or task is reported at once.
PAUSE = 0.5
COUNTS = ("ok", "changed", "failed", "unreachable")


def quietly(method):
    @functools.wraps(method)
    def call(self, *args, **kwargs):
        if self._file is None:
            return
        try:
            method(self, *args, **kwargs)
        except Exception:
            pass

    return call


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "signalbox_progress"
    CALLBACK_NEEDS_ENABLED = False

    def __init__(self, *args, **kwargs):
        super(CallbackModule, self).__init__(*args, **kwargs)
        self._file = None
        self._play = ""
        self._task = ""
        self._tasks = 0
        self._hosts = {}
        self._told = 0.0
        try:
            self._file = open(os.environ["SIGNALBOX_PROGRESS_FILE"], "a", encoding="utf-8")
        except Exception:
            pass

    def _tell(self, **more):
        state = {"play": self._play, "task": self._task, "tasks": self._tasks}
        states = list(self._hosts.values())
        for name in COUNTS:
            state[name] = states.count(name)
        state.update(more)
        self._file.write(json.dumps(state) + "\n")
        self._file.flush()
        self._told = time.monotonic()

    def _count(self, result, state):
        host = getattr(result, "host", None) or result._host
        # A host counts once in a play, with its most severe result.
        before = self._hosts.get(host.get_name(), "ok")
        self._hosts[host.get_name()] = max(before, state, key=COUNTS.index)
        if time.monotonic() - self._told >= PAUSE:
            self._tell()

    @quietly
    def v2_playbook_on_play_start(self, play):
        self._play = play.get_name().strip()
        self._task = ""
        self._hosts = {}
        self._tell()

    def _begin(self, task):
        self._task = task.get_name().strip()
        self._tasks += 1
        self._tell()

    @quietly
    def v2_playbook_on_task_start(self, task, is_conditional):
        self._begin(task)

    @quietly
    def v2_playbook_on_handler_task_start(self, task):
        self._begin(task)

    @quietly
    def v2_runner_on_ok(self, result):
        self._count(result, "changed" if result.is_changed() else "ok")

    @quietly
    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._count(result, "ok" if ignore_errors else "failed")

    @quietly
    def v2_runner_on_unreachable(self, result):
        self._count(result, "unreachable")

    @quietly
    def v2_runner_on_skipped(self, result):
        self._count(result, "ok")

    @quietly
    def v2_playbook_on_stats(self, stats):
        hosts = []
        for name in sorted(stats.processed):
            found = stats.summarize(name)
            hosts.append(
                {
                    "host": name,
                    "ok": found["ok"],
                    "changed": found["changed"],
                    "unreachable": found["unreachable"],
                    "failed": found["failures"],
                    "skipped": found["skipped"],
                    "rescued": found.get("rescued", 0),
                    "ignored": found.get("ignored", 0),
                }
            )
        self._tell(hosts=hosts)
