// The commands that start a remote runner. The file `runner-token` contains its token.

/** The command for a runner as a program, in a folder that only the runner can read. */
export const startProgram = (server: string): string =>
  [
    `SIGNALBOX_SERVER_URL=${server} \\`,
    'SIGNALBOX_RUNNER_TOKEN_FILE=runner-token \\',
    'SIGNALBOX_DATA_DIR=runner-data \\',
    'signalbox server',
  ].join('\n');

/**
 * The command with the image of `deploy/Dockerfile`. A runner serves no HTTP, so it has no health
 * check.
 */
export const startContainer = (server: string): string =>
  [
    'docker run --detach --name signalbox-runner \\',
    '  --restart unless-stopped --no-healthcheck \\',
    `  --env SIGNALBOX_SERVER_URL=${server} \\`,
    '  --env SIGNALBOX_RUNNER_TOKEN_FILE=/runner-token \\',
    '  --volume "$PWD/runner-token:/runner-token:ro" \\',
    '  --volume signalbox-runner:/data \\',
    '  --cap-drop ALL --security-opt no-new-privileges \\',
    '  --cap-add SETUID --cap-add SETGID --cap-add CHOWN \\',
    '  --cap-add FOWNER --cap-add DAC_OVERRIDE \\',
    '  --cap-add KILL --cap-add SETPCAP \\',
    '  signalbox',
  ].join('\n');
