# Reports what happens in a run to Signalbox: each line of the file is a JSON object with one event.
# Ansible loads this callback beside those of the run. Its errors are ignored, so that it never breaks
# a run. It is tried with ansible-core 2.14 to 2.22, by `npm run test:toolchains`.
#
# The output of the run is a file that the runner reads. Events that begin a play or task, and results,
# say where in it they happened: `at` is its size, and `printed` what was printed for this event, such
# as a heading. Whatever callback writes the output, the runner finds the line from that.
#
# Texts of results are cut here, so that the output of a command costs little, however long it is. A text
# that was cut is an object, {"cut": text}, because the runner must hide pieces of secrets at its edge.

from __future__ import annotations

import difflib
import functools
import itertools
import json
import os
import re
import stat
import sys
import time

from ansible import context
from ansible.errors import AnsibleError
from ansible.playbook.task_include import TaskInclude
from ansible.plugins.action import ActionBase
from ansible.plugins.callback import CallbackBase

try:
    # Ansible 2.22 and later know which texts are secrets of a vault, and hide them in results.
    from ansible.module_utils.secrets import mask_secrets
except ImportError:

    def mask_secrets(text):
        return text


DOCUMENTATION = """
    name: signalbox_progress
    type: aggregate
    short_description: progress for Signalbox
    description:
      - Writes plays, tasks and results to the file that SIGNALBOX_PROGRESS_FILE names.
"""

MESSAGE_BYTES = 8 * 1024
OUTPUT_BYTES = 8 * 1024
DIFF_BYTES = 32 * 1024
ITEM_TEXT_BYTES = 2 * 1024
ITEM_DIFF_BYTES = 8 * 1024
ITEM_NAME_BYTES = 250
MOST_ITEMS = 100
MOST_BEYOND = 20
FACT_BYTES = 1024
# Far more than the outputs of a task may have (src/shared/api/task-outputs.ts).
OUTPUTS_BYTES = 512 * 1024
# All shown items of a result together.
ITEMS_BYTES = 64 * 1024
MOST_DIFFS = 20
# Longer texts and more lines are not compared, because that takes more than linear time.
COMPARED_BYTES = 1024 * 1024
COMPARED_LINES = 1000
CONTEXT_LINES = 3
# Once the file is larger, results have no texts.
FILE_BYTES = 128 * 1024 * 1024

FAILURES = ("failed", "unreachable", "ignored", "rescued")
# Their output says why they failed, whatever message the version of Ansible has for the exit code.
COMMAND_MODULES = ("command", "shell", "raw", "script", "expect", "win_command", "win_shell")
# Printed by ssh at the end of a connection with a terminal.
CLOSED = re.compile(r"^(shared )?connection to \S+ closed\.\s*$", re.IGNORECASE | re.MULTILINE)
# The traceback of a failure without an exception, until 2.18.
NO_ERROR = "NoneType: None"
NON_ZERO = re.compile(r"(the command exited with a )?non-zero return code\.?", re.IGNORECASE)
# Other modules return facts too, which playbooks set or which are long lists.
FACT_MODULES = ("setup", "gather_facts")
NO_WORDS = ("item", "invocation", "changed", "diff", "failed", "skipped", "results")


def quietly(method):
    @functools.wraps(method)
    def call(self, *args, **kwargs):
        if self._file is None:
            return
        try:
            try:
                method(self, *args, **kwargs)
            finally:
                self._end = output_size()
        except Exception:
            pass

    return call


def output_size():
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    found = os.fstat(1)
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def is_rescued(task):
    """Whether a block around the task has a rescue section that goes on after the task has failed."""
    child, parent = task, getattr(task, "_parent", None)
    while parent is not None:
        if getattr(parent, "rescue", None):
            if any(one._uuid == child._uuid for one in parent.block):
                return True
        child, parent = parent, getattr(parent, "_parent", None)
    return False


def is_unfinished(job):
    """Whether a background job (async) of this machine runs; its file has the state."""
    try:
        with open(job["file"], encoding="utf-8") as file:
            state = json.load(file)
        return "started" in state and not state.get("finished")
    except Exception:
        return False


def keep_jobs_together():
    """
    Makes Ansible expand `~` in async_dir of local background jobs by HOME, which is a folder of the run. It
    would use the home in /etc/passwd. On other hosts, and with become, both are the same.
    """
    get_option = ActionBase.get_shell_option

    def get_shell_option(self, option, default=None):
        value = get_option(self, option, default=default)
        if option != "async_dir" or self._connection.transport != "local" or self._connection.become:
            return value
        return os.path.expanduser(value)

    ActionBase.get_shell_option = get_shell_option


def milliseconds(seconds):
    return int(seconds * 1000)


def host_of(result):
    return getattr(result, "host", None) or result._host


def task_of(result):
    return getattr(result, "task", None) or result._task


def told_by(result):
    """The result of the module. Ansible has removed censored texts from it already."""
    told = getattr(result, "result", None)
    return told if isinstance(told, dict) else result._result


def is_hidden(told):
    return "censored" in told or bool(told.get("_ansible_no_log"))


def dump(value):
    """JSON of any value, cut after DIFF_BYTES."""
    encoder = json.JSONEncoder(ensure_ascii=False, default=str)
    pieces, length = [], 0
    for piece in encoder.iterencode(value):
        pieces.append(piece)
        length += len(piece)
        if length > DIFF_BYTES:
            break
    return "".join(pieces)


def text_of(value):
    """A text for people: the lines of a list, and JSON for other values."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value[:MOST_ITEMS]):
        return "\n".join(str(one) for one in value[: DIFF_BYTES // 4])
    return dump(value)


def begin_of(text, limit):
    """The first `limit` bytes of a text."""
    some = text[:limit].encode("utf-8", "surrogatepass")
    if len(text) <= limit and len(some) <= limit:
        return text
    return {"cut": some[:limit].decode("utf-8", "ignore")}


def end_of(text, limit):
    """The last `limit` bytes of a text."""
    some = text[-limit:].encode("utf-8", "surrogatepass")
    if len(text) <= limit and len(some) <= limit:
        return text
    return {"cut": some[-limit:].decode("utf-8", "ignore")}


def shorter(told, name, value, limit, cut=begin_of):
    text = text_of(value)
    if text:
        told[name] = cut(text, limit)


def last_line(text):
    lines = text_of(text)[-MESSAGE_BYTES:].strip().splitlines()
    return lines[-1] if lines else ""


def reason_of(told):
    """Why a task was skipped."""
    reason = text_of(told.get("reason")) or text_of(told.get("skip_reason"))
    condition = told.get("false_condition")
    return "%s: %s" % (reason, text_of(condition)) if reason and condition else reason


def module_of(task):
    """The name of a module without its collection."""
    return str(task.action).split(".")[-1]


def cause_of(result):
    """The cause of an error in Ansible 2.19 and later: the last message of its chain."""
    error = getattr(result, "exception", None) or told_by(result).get("exception")
    event, cause = getattr(error, "event", None), ""
    while event is not None:
        cause = event.msg
        event = event.chain.event if event.chain else None
    return mask_secrets(str(cause))


def crash_reason(told):
    """The last line that a module printed instead of a result."""
    lines = [last_line(CLOSED.sub("", text_of(told.get(name)))) for name in ("module_stderr", "module_stdout")]
    return lines[0] or lines[1]


def printed_reason(told, task):
    """The last line of a failed command; its exit code is reported separately."""
    tells_code = NON_ZERO.fullmatch(text_of(told.get("msg")))
    if told.get("rc") in (None, 0) or not (tells_code or module_of(task) in COMMAND_MODULES):
        return ""
    return last_line(told.get("stderr")) or last_line(told.get("stdout"))


def message_of(told, task, state, cause=""):
    """The most useful sentence of a result."""
    message = text_of(told.get("msg")) or reason_of(told)
    if state in FAILURES:
        if cause and cause not in message and "failed_when_result" not in told:
            message = cause
        message = printed_reason(told, task) or crash_reason(told) or message
        if told.get("assertion") and message == "Assertion failed":
            message = "%s: %s" % (message, text_of(told["assertion"]))
        error = last_line(told.get("exception"))
        # Ansible 2.19 has placeholders in parentheses instead of a traceback.
        if error and error != NO_ERROR and not error.startswith("(") and error not in message:
            message = "%s\n%s" % (message, error) if message else error
    elif not message and state in ("ok", "changed") and module_of(task) == "debug":
        shown = {name: value for name, value in told.items() if is_word(name)}
        message = text_of(next(iter(shown.values()))) if len(shown) == 1 else ""
    return message


def is_word(name):
    return not name.startswith("_ansible") and name not in NO_WORDS


def lines_of(value):
    text = value if isinstance(value, str) else json.dumps(value, indent=2, sort_keys=True, default=str)
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    elif isinstance(value, str):
        lines[-1] += "\n\\ No newline at end of file"
    return lines


def common(one, other):
    """The length of the common prefix."""
    equal = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other))
    return sum(1 for _ in equal)


def unified(before, after):
    """The lines of a diff. Common prefix and suffix are not compared, for speed."""
    first = max(0, common(before, after) - CONTEXT_LINES)
    old, new = before[first:], after[first:]
    equal = common(old[::-1], new[::-1])
    last = max(0, min(equal, len(old), len(new)) - CONTEXT_LINES)
    old, new = old[: len(old) - last], new[: len(new) - last]
    if max(len(old), len(new)) > COMPARED_LINES:
        groups = [[("replace", 0, len(old), 0, len(new))]]
    else:
        matcher = difflib.SequenceMatcher(None, old, new)
        groups = matcher.get_grouped_opcodes(CONTEXT_LINES)
    for group in groups:
        yield heading_of(group, first)
        for kind, from_old, to_old, from_new, to_new in group:
            if kind == "equal":
                yield from (" " + line for line in old[from_old:to_old])
            else:
                yield from ("-" + line for line in old[from_old:to_old])
                yield from ("+" + line for line in new[from_new:to_new])


def heading_of(group, first):
    old = span(group[0][1] + first, group[-1][2] + first)
    return "@@ -%s +%s @@" % (old, span(group[0][3] + first, group[-1][4] + first))


def span(begin, end):
    # An empty range is named by the line before it.
    return "%d,%d" % (begin + 1 if end > begin else begin, end - begin)


def difference_of(diff):
    """The lines of a diff, or Ansible's reason why there is none."""
    for end, place in (("dst", "destination"), ("src", "source")):
        if "%s_binary" % end in diff:
            return ["\\ diff skipped: %s file appears to be binary" % place]
        if "%s_larger" % end in diff:
            limit = text_of(diff["%s_larger" % end])
            return ["\\ diff skipped: %s file size is greater than %s" % (place, limit)]
    if "prepared" in diff:
        return text_of(diff["prepared"])[:COMPARED_BYTES].rstrip("\n").split("\n")
    if "before" not in diff or "after" not in diff:
        return []
    before, after = [diff[one] if diff[one] is not None else "" for one in ("before", "after")]
    if max(len(before), len(after)) > COMPARED_BYTES:
        return ["\\ diff skipped: the texts are longer than %d characters" % COMPARED_BYTES]
    return unified(lines_of(before), lines_of(after))


def name_of(diff, told):
    wanted = [diff.get("before_header"), told.get("dest"), told.get("path"), diff.get("after_header")]
    found = [one for one in wanted if isinstance(one, str) and one]
    return found[0] if found else ""


def differences_of(told, limit):
    """The diffs of a result; `limit` bytes for all of them."""
    found = told.get("diff") or []
    found = found if isinstance(found, list) else [found]
    texts, left = [], limit
    for diff in found[:MOST_DIFFS]:
        if not isinstance(diff, dict) or left <= 0:
            continue
        lines, length = [], 0
        for line in difference_of(diff):
            lines.append(line)
            length += len(line) + 1
            if length > left:
                break
        if lines:
            text = begin_of("\n".join(lines), left)
            left -= length
            name = begin_of(name_of(diff, told), ITEM_NAME_BYTES)
            texts.append({"name": name, "text": text})
    return texts


def texts_of(told, task, state, sizes, cause=""):
    """The texts of the result of a task or of one item of its loop."""
    if is_hidden(told):
        return {"is_hidden": True}
    message, output, diffs = sizes
    texts = {}
    shorter(texts, "message", message_of(told, task, state, cause), message)
    shorter(texts, "output", told.get("stdout") or told.get("module_stdout"), output, end_of)
    shorter(texts, "error_output", told.get("stderr") or told.get("module_stderr"), output, end_of)
    code = told.get("rc")
    if isinstance(code, int) and not isinstance(code, bool) and abs(code) < 2**31:
        texts["exit_code"] = code
    if getattr(task, "diff", False) is True and told.get("diff"):
        texts["diffs"] = differences_of(told, diffs)
    return texts


class Loop:
    """The results of the items of a task on a host."""

    def __init__(self):
        # Pairs of outcome and cause of the failure.
        self.items = []
        self.delegates = []
        # Where the first line was printed, preferring the line of a failed item.
        self.place = None
        self.is_place_of_failure = False

    def add(self, outcome, result, place):
        is_failure = outcome == "failed"
        self.items.append((outcome, cause_of(result) if is_failure else ""))
        self.delegates.append(getattr(task_of(result), "delegate_to", None))
        if place["printed"] > 0 and (self.place is None or (is_failure and not self.is_place_of_failure)):
            self.place = place
            self.is_place_of_failure = is_failure


def outcome_of(item):
    """The outcome according to the result of the item."""
    if item.get("failed") or item.get("unreachable"):
        return "failed"
    if item.get("skipped"):
        return "skipped"
    return "changed" if item.get("changed") else "ok"


def items_of(loop, results):
    """
    Pairs of outcome and cause of the items. Until ansible-core 2.20, modules that add hosts send no event for
    each item, so their outcomes are read from the whole result.
    """
    if len(results) in (0, len(loop.items)):
        return loop.items
    return [(outcome_of(item) if isinstance(item, dict) else None, "") for item in results]


def item_name(item, told):
    label = item.get("_ansible_item_label", item.get(item.get("ansible_loop_var", "item")))
    return begin_of(text_of(label), ITEM_NAME_BYTES)


def counts_of(items):
    outcomes = [outcome for outcome, _ in items]
    return {name: outcomes.count(name) for name in ("ok", "changed", "failed", "skipped")}


def shown_of(results, told, task, state, items):
    """The items with texts, and whether some are missing."""
    wanted = [
        (outcome != "failed", number, state if outcome == "failed" else outcome, cause)
        for number, (outcome, cause) in enumerate(items[: len(results)])
        if outcome in ("failed", "changed") and isinstance(results[number], dict)
    ]
    # Failed items have priority.
    wanted.sort(key=lambda one: one[:2])
    shown, left = [], ITEMS_BYTES
    sizes = (ITEM_TEXT_BYTES, ITEM_TEXT_BYTES, ITEM_DIFF_BYTES)
    for _, number, of_item, cause in wanted[:MOST_ITEMS]:
        item = results[number]
        texts = texts_of(item, task, of_item, sizes, cause)
        name = "" if texts.pop("is_hidden", False) else item_name(item, told)
        one = dict(texts, item=name, state=of_item)
        left -= len(json.dumps(one))
        if left < 0:
            break
        shown.append((number, one))
    return [one for _, one in sorted(shown, key=lambda one: one[0])], len(shown) < len(wanted)


def first_failure_of(results, items):
    """The first failed item and its cause: the message of a failed loop does not have them."""
    for item, (outcome, cause) in zip(results, items):
        if outcome == "failed" and isinstance(item, dict) and not is_hidden(item):
            return item, cause
    return None, ""


def result_of(result, state, loop):
    task, told = task_of(result), told_by(result)
    cause = cause_of(result) if state in FAILURES else ""
    texts = texts_of(told, task, state, (MESSAGE_BYTES, OUTPUT_BYTES, DIFF_BYTES), cause)
    results = told.get("results")
    is_list = isinstance(results, list)
    if "is_hidden" in texts or not has_loop(task) or not (is_list or loop.items):
        return texts
    # Ansible masks the key "results" if a secret has this text.
    results = results if is_list else []
    items = items_of(loop, results)
    of_failed = state if state in FAILURES else "failed"
    shown, is_missing = shown_of(results, told, task, of_failed, items)
    texts["items"] = counts_of(items)
    if shown:
        texts["shown_items"] = shown
    if is_missing:
        texts["is_cut"] = True
    if state in ("ok", "changed"):
        # It is always "All items completed".
        texts.pop("message", None)
    item, cause = first_failure_of(results, items) if state in FAILURES else (None, "")
    if item:
        shorter(texts, "message", message_of(item, task, state, cause), MESSAGE_BYTES)
    return texts


def has_loop(task):
    return bool(getattr(task, "loop", None) or getattr(task, "loop_with", None))


def delegate_of(task, host, loop):
    """The names of the hosts that a task was delegated to, without templates that were not evaluated."""
    targets = loop.delegates or [getattr(task, "delegate_to", None)]
    names = dict.fromkeys(str(one) for one in targets if one and one != host and "{{" not in str(one))
    return ", ".join(names)[:ITEM_NAME_BYTES] or None


def source_of(task):
    """Where a task is defined in the files of the repository."""
    path, _, line = task.get_path().rpartition(":")
    role = getattr(task, "_role", None)
    return {
        "id": task._uuid,
        "module": str(getattr(task, "resolved_action", None) or task.action)[:ITEM_NAME_BYTES],
        "role": str(role.get_name())[:ITEM_NAME_BYTES] if role else "",
        "path": path,
        "file_line": int(line) if line.isdigit() else None,
    }


def has_facts(task, told):
    return module_of(task) in FACT_MODULES and isinstance(told.get("ansible_facts"), dict)


def host_of_facts(task, host):
    """The host that receives the facts of a delegated task."""
    target = getattr(task, "delegate_to", None)
    if not target or target == host or not getattr(task, "delegate_facts", False):
        return host
    return str(target)


def fact_of(facts, name):
    """The value of a fact; dots in a name select inner values."""
    first, *inner = name.split(".")
    value = facts.get("ansible_" + first, facts.get(first))
    for one in inner:
        value = value.get(one) if isinstance(value, dict) else None
    return value


def facts_of(told, names):
    facts = {}
    for name in names:
        value = fact_of(told["ansible_facts"], name)
        if value is not None:
            facts[name] = begin_of(value if isinstance(value, str) else dump(value), FACT_BYTES)
    return facts


def selected(inventory, limit):
    """The names of the hosts that match a limit."""
    try:
        inventory.subset(limit or None)
        return {host.get_name() for host in inventory.get_hosts()}
    except AnsibleError:
        # Ansible itself fails with this limit before its first play.
        return set()


def hosts_beyond(inventory, limit, narrowed):
    """
    The hosts that match a limit without being among the chosen hosts and matching the earlier limit. A pattern
    for a host may also match the hosts of a group of the same name.
    """
    try:
        before = selected(inventory, narrowed["limit"])
    finally:
        found = selected(inventory, limit)
    return sorted(found - before.intersection(narrowed["hosts"]))


def plain_value(value):
    """Encodes what JSON has no type for."""
    return list(value) if isinstance(value, (set, frozenset)) else str(value)


def outputs_of(stats):
    """The run statistics of `set_stats` as pairs of name and value; None: they exceed the limit."""
    pairs, left = [], OUTPUTS_BYTES
    for name, value in (getattr(stats, "custom", None) or {}).get("_run", {}).items():
        try:
            text = json.dumps(value, default=plain_value, allow_nan=False)
        except Exception:
            text = json.dumps(str(value))
        left -= len(text)
        if left < 0:
            return None
        pairs.append([str(name), json.loads(text)])
    return pairs


def is_masked(value):
    """Whether Ansible masks a part of the value in results."""
    text = json.dumps(value, ensure_ascii=False)
    return mask_secrets(text) != text


def names_set_by(task):
    """The names that `set_stats` has set; None: unknown, since they are templates or differ by item."""
    given = task.args.get("data")
    if has_loop(task) or not isinstance(given, dict) or any("{" in str(name) for name in given):
        return None
    return [str(name) for name in given]


# Workers are forks of this process, so they inherit the patch.
try:
    keep_jobs_together()
except Exception:
    pass


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "signalbox_progress"
    CALLBACK_NEEDS_ENABLED = False

    def __init__(self, *args, **kwargs):
        super(CallbackModule, self).__init__(*args, **kwargs)
        self._file = None
        self._is_free = False
        self._task = None
        # The size of the output after the last event.
        self._end = 0
        # Whether nothing was printed yet for the current task: some callbacks print with its first result.
        self._is_silent = False
        self._kinds = {}
        self._jobs = []
        # The number of plays whose pattern matched a host.
        self._matched = 0
        # By host name: the task, and its start by both clocks.
        self._begun = {}
        # Loops that have not ended, by host and task.
        self._loops = {}
        self._written = 0
        # Names that no_log tasks have set; None: any name.
        self._secrets = set()
        self._facts = os.environ.pop("SIGNALBOX_HOST_FACTS", "").split()
        self._narrowed = os.environ.pop("SIGNALBOX_NARROWED_FILE", None)
        try:
            # Removed from the environment: a playbook that a task of this one starts is another run.
            path = os.environ.pop("SIGNALBOX_PROGRESS_FILE")
            self._file = open(path, "a", encoding="utf-8")
            self._end = output_size()
        except Exception:
            # Then Ansible does not call the callback, which would copy each result.
            self.disabled = True

    def _tell(self, event, **more):
        line = json.dumps(dict(more, event=event)) + "\n"
        self._written += len(line)
        self._file.write(line)
        self._file.flush()

    def _place(self):
        size = output_size()
        printed = max(0, size - self._end)
        self._end = size
        return {"at": size, "printed": printed}

    @quietly
    def _pass_over(self, *args, **kwargs):
        """Counts the output of events that are not reported. `v2_on_any` would be deprecated."""

    @quietly
    def v2_playbook_on_start(self, playbook):
        if context.CLIARGS.get("check"):
            self._tell("check")
        self._require_answers(playbook)
        self._require_narrow_limit(playbook)

    def _require_narrow_limit(self, playbook):
        """Ends a run that is restricted to some hosts and would reach others."""
        plays = playbook.get_plays()
        if not self._narrowed or not plays:
            return
        with open(self._narrowed, encoding="utf-8") as file:
            narrowed = json.load(file)
        inventory = plays[0].get_variable_manager()._inventory
        beyond = hosts_beyond(inventory, context.CLIARGS["subset"], narrowed)
        if beyond:
            self._tell("beyond", hosts=beyond[:MOST_BEYOND])
            raise SystemExit(1)

    def _require_answers(self, playbook):
        from ansible.utils.vars import load_extra_vars

        asked = [one for play in playbook.get_plays() for one in play.vars_prompt or []]
        wanted = [one["name"] for one in asked if one.get("default") is None]
        if not wanted:
            return
        given = load_extra_vars(playbook._loader)
        names = sorted(set(wanted) - set(given))
        if names:
            self._tell("unanswered", names=names)
            # Without an answer Ansible would continue with None in these variables.
            raise SystemExit(1)

    @quietly
    def v2_playbook_on_play_start(self, play):
        self._task = None
        self._matched += 1
        # These strategies run several tasks at once, so results decide which task is shown.
        self._is_free = str(play.strategy).split(".")[-1] in ("free", "host_pinned")
        self._tell("play", name=play.get_name().strip(), **self._place())

    @quietly
    def v2_playbook_on_no_hosts_matched(self):
        # Called after the start of the play.
        self._matched -= 1

    def _begin(self, task, kind):
        if task._uuid == self._task and module_of(task) == "meta":
            # Called for each host whose condition is false.
            return
        self._kinds[task._uuid] = kind
        self._tell("next", name=task.get_name().strip())
        if not self._is_free:
            self._show(task)

    def _show(self, task):
        self._task = task._uuid
        place = self._place()
        self._is_silent = place["printed"] == 0
        kind = self._kinds.get(task._uuid, "task")
        event = {"name": task.get_name().strip(), "time": milliseconds(time.time())}
        event.update(place)
        event.update(self._source(task))
        self._tell(kind, **event)

    def _source(self, task):
        try:
            return source_of(task)
        except Exception:
            return {"id": task._uuid}

    @quietly
    def v2_playbook_on_task_start(self, task, is_conditional):
        self._begin(task, "task")

    @quietly
    def v2_playbook_on_cleanup_task_start(self, task):
        self._begin(task, "task")

    @quietly
    def v2_playbook_on_handler_task_start(self, task):
        self._begin(task, "handler")

    @quietly
    def v2_runner_on_start(self, host, task):
        self._begun[host.get_name()] = (task._uuid, time.time(), time.monotonic())

    def _times(self, host, task):
        """When it ended and began (Unix time), and how long it took, in milliseconds."""
        ended = milliseconds(time.time())
        uuid, began, clock = self._begun.get(host, (None, 0, 0))
        if uuid != task._uuid:
            return {"time": ended, "begin": None, "ms": 0}
        return {"time": ended, "begin": milliseconds(began), "ms": milliseconds(time.monotonic() - clock)}

    def _item(self, result, outcome):
        key = (host_of(result).get_name(), task_of(result)._uuid)
        place = self._place()
        if place["printed"] > 0 and self._is_silent and key[1] == self._task:
            self._is_silent = False
            self._tell("heading", **place)
        self._loops.setdefault(key, Loop()).add(outcome, result, place)

    @quietly
    def v2_runner_item_on_ok(self, result):
        self._item(result, "changed" if result.is_changed() else "ok")
        # The result of the whole loop does not have the host that an item was delegated to.
        self._note_facts(result)

    @quietly
    def v2_runner_item_on_skipped(self, result):
        self._item(result, "skipped")

    @quietly
    def v2_runner_item_on_failed(self, result):
        self._item(result, "failed")

    def _result(self, result, state, changed=False):
        host = host_of(result).get_name()
        task = task_of(result)
        if task._uuid != self._task:
            # The heading was printed with the result or with the first item.
            end = self._end
            self._show(task)
            place = {"at": self._end, "printed": self._end - end}
        else:
            place = self._place()
            if self._is_silent and place["printed"] > 0:
                self._is_silent = False
                self._tell("heading", **place)
        loop = self._loops.pop((host, task._uuid), Loop())
        if place["printed"] == 0 and loop.place:
            place = loop.place
        event = {"host": host, "state": state, "changed": changed}
        event.update(place)
        event.update(self._times(host, task))
        if isinstance(task, TaskInclude):
            # Ansible does not count includes.
            event["is_include"] = True
        event.update(self._texts(result, state, loop))
        self._tell("result", **event)

    def _texts(self, result, state, loop):
        try:
            task, told = task_of(result), told_by(result)
            more = {"delegated_to": delegate_of(task, host_of(result).get_name(), loop)}
            if isinstance(told.get("attempts"), int):
                more["tries"] = told["attempts"]
            if self._written < FILE_BYTES:
                more.update(result_of(result, state, loop))
            elif is_hidden(told):
                more["is_hidden"] = True
            else:
                more["is_cut"] = True
            return {name: value for name, value in more.items() if value is not None}
        except Exception:
            return {"is_cut": True}

    def _note_facts(self, result):
        """Reports the facts that the project keeps, if the task has gathered some."""
        task, told = task_of(result), told_by(result)
        if not self._facts or is_hidden(told) or self._written >= FILE_BYTES:
            return
        if has_facts(task, told):
            facts = facts_of(told, self._facts)
            host = host_of_facts(task, host_of(result).get_name())
            if facts:
                self._tell("facts", host=host, facts=facts)

    def _note_secrets(self, result):
        """Remembers the names that a no_log task has set."""
        task = task_of(result)
        if module_of(task) != "set_stats" or not is_hidden(told_by(result)):
            return
        names = names_set_by(task)
        if names is None:
            self._secrets = None
        elif self._secrets is not None:
            self._secrets.update(names)

    def _tell_outputs(self, stats):
        values = outputs_of(stats)
        names = [name for name, _ in values or []]
        hidden = names if self._secrets is None else self._secrets
        secrets = [name for name, value in values or [] if name in hidden or is_masked(value)]
        if values != []:
            self._tell("outputs", values=values, secrets=secrets)

    def _note_job(self, result):
        """Remembers an async job of this machine that is not waited for."""
        task = task_of(result)
        path = told_by(result).get("results_file")
        if path and not task.poll and os.path.exists(path):
            self._jobs.append({"file": path, "host": host_of(result).get_name(), "task": task.get_name().strip()})

    @quietly
    def v2_runner_on_ok(self, result):
        self._result(result, "changed" if result.is_changed() else "ok")
        self._note_job(result)
        self._note_facts(result)
        self._note_secrets(result)

    @quietly
    def v2_runner_on_failed(self, result, ignore_errors=False):
        task = task_of(result)
        state = "ignored" if ignore_errors else "rescued" if is_rescued(task) else "failed"
        self._result(result, state, result.is_changed())

    @quietly
    def v2_runner_on_unreachable(self, result):
        task = task_of(result)
        ignored = getattr(task, "ignore_unreachable", False) is True
        self._result(result, "ignored" if ignored else "unreachable")

    @quietly
    def v2_runner_on_skipped(self, result):
        self._result(result, "skipped")

    @quietly
    def v2_playbook_on_stats(self, stats):
        self._tell("recap", **self._place())
        for job in self._jobs:
            if is_unfinished(job):
                self._tell("left", host=job["host"], task=job["task"])
        self._tell_outputs(stats)
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
        self._tell("stats", hosts=hosts, no_hosts=self._matched == 0)


for name in dir(CallbackBase):
    if name.startswith("v2_") and name != "v2_on_any" and name not in vars(CallbackModule):
        setattr(CallbackModule, name, CallbackModule._pass_over)
