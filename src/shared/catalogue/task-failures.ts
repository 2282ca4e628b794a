// The reasons of failed tasks, and remarks on successful ones.

import { type Coded, type CodeOf, defineCatalogue } from './catalogue.ts';

export const taskFailures = defineCatalogue({
  'failure.exit_code': '{{program}} ended with the exit code {{code}}.',
  'failure.program_error': '{{program}} ended with the exit code {{code}}: {{error}}.',
  'failure.signal': '{{program}} was killed by the signal {{signal}}.',
  'failure.timeout': 'The task was stopped after its time limit of {{seconds}} seconds.',
  'failure.memory_limit':
    '{{program}} was killed because it used more than the {{mib}} MiB of memory that this task may use.',
  'failure.process_limit':
    '{{program}} failed because it could not start another process: this task may have at most {{most}} at once.',
  'failure.result_unknown': 'The supervisor of this task is gone, so its result is unknown.',
  'failure.runner_lost':
    'The server {{server}} that ran this task was lost, so its result is unknown.',
  'failure.restored':
    'The installation was restored from a backup made while this task ran, so its result is unknown.',
  'failure.launcher_right':
    'Nothing was run, because {{user}}, who has started this task or was the last to change what starts it, may not start it in this project any more.',
  'failure.launcher_limits':
    'Nothing was run: {{user}}, who has started this task or was the last to change what starts it, may start it only within limits. They allow {{allowed}}.',
  'failure.launcher_gone':
    'Nothing was run, because the account of the person who has started this task, or was the last to change what starts it, was deleted.',
  'failure.disk_full':
    'The disk of the server is full: the rest of the log is lost, and the task was stopped.',
  'failure.host_key':
    'The key of an SSH host differs from the one that this project has pinned. {{program}} ended with the exit code {{code}}.',
  'failure.unanswered':
    'The playbook asks for {{names}} (vars_prompt), which no one can answer while a task runs. Set these variables in the survey of the template or in its environment.',
  'failure.hosts_beyond':
    'The limit of this task would reach more hosts than those to re-run on: {{hosts}}. That happens where a group and a host have the same name. Nothing was run.',
  'failure.no_hosts':
    'The playbook ran on no host: its plays and the limit select no host of the inventory, or the inventory could not be read. Nothing was done.',
  'failure.outputs_file':
    'The outputs file (SIGNALBOX_OUTPUTS) is not a regular file that can be read. Write into the existing file, or put a regular file in its place.',
  'failure.outputs_text':
    'Line {{line}} of the outputs is not text: write UTF-8 without zero bytes, and other bytes as base64.',
  'failure.outputs_line':
    'Line {{line}} of the outputs is not valid: write NAME=value without spaces around the name, or secret NAME=value. Write several lines between NAME<<END and END.',
  'failure.outputs_unended':
    'A multi-line value begins at line {{line}} of the outputs and has no end: write the word after << alone in a line behind it.',
  'failure.outputs_json':
    'The outputs begin with {, so they must be one JSON object, and line {{line}} is not valid JSON. Write JSON with a program such as jq, or lines NAME=value.',
  'failure.outputs_depth':
    'The outputs are nested more than {{most}} deep: set a flatter value, or its JSON as a string.',
  'failure.outputs_name':
    '"{{name}}" cannot be the name of an output: use at most 128 letters, digits and _, and begin with no digit.',
  'failure.outputs_number':
    'A number in the output {{name}} has too many digits: set it as a string, in quotes.',
  'failure.outputs_masked':
    'The output {{name}} contains "$REDACTED$", with which Ansible masks secrets: set the variable itself, with no_log.',
  'failure.outputs_value_size':
    'The output {{name}} is larger than {{most}} KiB: set a shorter value, such as the address of a file.',
  'failure.outputs_size':
    'The outputs are larger than {{most}} KiB together: set less, such as the address of a file.',
  'failure.outputs_count':
    'The task has more than {{most}} outputs: set a list or an object in one of them.',
  'failure.state_left':
    'The run left a Terraform state in its folder, which is removed after the run. Signalbox set the state aside in {{path}} on the server that ran the task. Put it where the next run finds it, and configure a backend.',
  'failure.execution_kind':
    'This runner does not know execution environments of the kind {{kind}}, as {{name}} is. Update the runner.',
  'failure.container_engine':
    'This runner has no podman and no docker that it can use. Install podman, or run the task on a runner that has it.',
  'failure.container_option':
    'The administrator of this runner does not allow the {{option}} {{value}} for containers. Choose another one, or have it added to {{setting}}.',
  'failure.container_user':
    'Containers with the user {{user}} need podman without root on the runner. Leave the user of the execution environment empty, or run the server as another user than root.',
  'failure.container_mount':
    'The execution environment shows {{path}} to its containers, which this runner does not have.',
  'failure.container_start':
    'The container of the image {{image}} could not be started. The end of the log says what the engine said.',
  'failure.container_lost':
    'The engine of the container ended before the program in it, so the result is unknown. The container was removed.',
  'failure.pod_refused':
    'The cluster refused the pod of this task: {{reason}}. Change the execution environment, or what the cluster allows in the namespace {{namespace}}.',
  'failure.pod_unschedulable':
    'No node of the cluster took the pod of this task within {{seconds}} seconds: {{reason}}. Lower what the execution environment requests, correct its node labels and tolerations, add nodes, or allow more time (SIGNALBOX_KUBERNETES_START_SECONDS).',
  'failure.pod_not_started':
    'The pod of this task did not start within {{seconds}} seconds: {{reason}}. Check the node {{node}}, or allow more time (SIGNALBOX_KUBERNETES_START_SECONDS).',
  'failure.pod_image':
    'The cluster could not get the image {{image}}: {{reason}}. Check its name, tag and rule for pulling. If the registry needs a login, name a Secret of the namespace with it in the execution environment.',
  'failure.pod_runner_image':
    'The cluster could not start the container of Signalbox beside the image of this task: {{reason}}. Check SIGNALBOX_KUBERNETES_IMAGE on the runner.',
  'failure.pod_start':
    'The container of the image {{image}} could not start: {{reason}}. The image needs /bin/sh, and its programs have to run as another user than root.',
  'failure.pod_server':
    'The pod of this task does not reach {{url}}: {{reason}}. Check SIGNALBOX_KUBERNETES_SERVER_URL on the runner, and what network policies allow in the namespace.',
  'failure.pod_evicted':
    'The cluster evicted the pod of this task: {{reason}}. Request as much memory as the task needs, so that its node has it free.',
  'failure.pod_disrupted':
    'The cluster ended the pod of this task to free its node: {{reason}}. The task can be run again.',
  'failure.pod_deadline':
    'The cluster ended the pod of this task at its deadline (activeDeadlineSeconds), which a policy of the cluster has set. Allow more time there.',
  'failure.pod_lost':
    'The pod of this task ended before the task did, so the result is unknown: {{reason}}. The task can be run again.',
  'failure.pod_state':
    'The state of Terraform would be lost with the pod of this task. Configure a backend, or use another kind of execution environment.',
  'failure.image_missing':
    'The image {{image}} is not on this runner, and its execution environment never pulls it. Load the image there, or choose another rule for pulling.',
  'failure.image_pull':
    'The image {{image}} could not be pulled. Check its name and tag, and that this runner reaches the registry. If the registry needs a login, choose a key with it in the execution environment.',
  'failure.image_pull_login':
    'The image {{image}} could not be pulled with the login of its execution environment. Check the name and the tag, and the login and its rights in the registry.',
  'failure.image_pull_timeout':
    'The image {{image}} could not be pulled within {{seconds}} seconds. Check that the registry answers, or allow more time (SIGNALBOX_CONTAINER_PULL_SECONDS).',
  'failure.image_store_full':
    'The image {{image}} could not be pulled: {{folder}} on this runner has only {{mib}} MiB left. Remove images that nothing needs.',
  'failure.image_architecture':
    'The image {{image}} is made for {{has}}, and this runner needs {{needs}}. Choose an image for its architecture.',
  'failure.image_without_sh':
    'The image {{image}} has no /bin/sh that can run, without which no task can start in it. Build it on a base with a shell.',
  'failure.image_without_program':
    'The image {{image}} has no {{program}}, with which this task runs. Add it to the image, or choose another image: an execution environment of ansible-builder has Ansible with its Python.',
  'failure.tools_folder':
    'The execution environment {{name}} needs the folder {{folder}}, which does not exist on this runner or cannot be read. Put the programs there, or give the template a runner that has them.',
  'failure.tools_owner':
    'The folder {{folder}} of the execution environment {{name}} belongs neither to root nor to the user of the runner. Make one of them its owner: chown -R root {{folder}}',
  'failure.tools_writable':
    'The folder {{folder}} of the execution environment {{name}} can be changed by other users of this runner. Take that right from them: chmod -R go-w {{folder}}',
  'failure.tools_empty':
    'The folder {{folder}} of the execution environment {{name}} has no executable program, neither itself nor in its folder bin. Install the programs there.',
  'failure.tools_packages':
    'The packages of the execution environment {{name}} could not be installed: {{reason}}',
  'failure.tools_disk':
    'The disk of this runner is full, so the packages of the execution environment {{name}} could not be installed. Free space in the data folder, or clear the caches of the runner.',
  'failure.python_path':
    '{{python}} of the execution environment {{name}} is no Python 3 that runs on this runner. Install it, or enter another path or a version.',
  'failure.python_missing':
    'The execution environment {{name}} needs Python {{python}}, which is not on the PATH of this runner. Install it, or choose one that was found: {{found}}',
  'failure.python_none':
    'The execution environment {{name}} needs Python, and none is on the PATH of this runner. Install python3 with its module venv.',
  'failure.preparation': 'Cannot prepare the task: {{reason}}',
  'failure.interrupted': 'The task could not continue: {{reason}}',
});
export type FailureCode = CodeOf<typeof taskFailures>;
export type Failure = Coded<FailureCode>;
