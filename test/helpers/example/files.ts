// The playbooks of the example: they change nothing, and need no host but this machine.

const play = (name: string, hosts: string, tasks: string): string =>
  `- name: ${name}\n  hosts: ${hosts}\n  gather_facts: false\n  tasks:\n${tasks}`;

const say = (name: string, text: string): string =>
  `    - name: ${name}\n      ansible.builtin.debug:\n        msg: ${text}\n`;

const change = (name: string): string =>
  `    - name: ${name}\n      ansible.builtin.command: "true"\n`;

const fail = (name: string, text: string): string =>
  `    - name: ${name}\n      ansible.builtin.fail:\n        msg: ${text}\n`;

export const files: Record<string, string> = {
  'deploy.yml':
    play('Prepare the servers', 'web', change('Install packages') + say('Show the plan', 'ready')) +
    play('Roll out the shop', 'web', change('Copy the release') + change('Restart the service')) +
    play('Check from outside', 'web', say('Ask for the start page', '"200 OK"')),
  'patch.yml':
    play('Patch the servers', 'all', change('Update packages') + say('Kernel', '"{{ window }}"')) +
    play('Look whether a restart is due', 'db', fail('Ask for the load', 'The database is busy')),
  'certificates.yml': play('Renew certificates', 'web', change('Ask for new ones')),
  'backup.sh': 'echo "Dumping the database"\necho "12 tables, 3.4 GB"\n',
  'build.sh': 'echo "Building $SIGNALBOX_TASK_TARGET_VERSION"\n',
  'report.py': 'print("Report for the week")\n',
};

const local = 'ansible_connection=local ansible_python_interpreter=auto_silent';

export const inventory = `[web]
web-1 ${local}
web-2 ${local}

[db]
db-1 ${local}

[production:children]
web
db
`;

export const staging = `all:
  vars:
    ansible_connection: local
    ansible_python_interpreter: auto_silent
  children:
    web:
      hosts:
        staging-web:
    db:
      hosts:
        staging-db:
`;
