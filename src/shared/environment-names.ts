// The names of environment variables, and those that only administrators and authors of environments may set.

/** Whether a process can have a variable of this name. */
export const isEnvironmentName = (name: string): boolean =>
  name !== '' && !name.includes('=') && !name.includes('\0');

/** Whether the variable changes the behaviour of programs or libraries, so that answers must not set it. */
export const isSteering = (name: string): boolean =>
  /^(?:LD|DYLD|GIT|SSH|PIP|BASH|SIGNALBOX)_/.test(name) || steering.has(name.toUpperCase());

const steering = new Set(
  (
    'PATH HOME SHELL ENV IFS PWD USER LOGNAME TMPDIR SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND CDPATH ' +
    'GLOBIGNORE PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONBREAKPOINT PYTHONWARNINGS ' +
    'PERLLIB PERL5LIB PERL5OPT PERL5DB RUBYLIB RUBYOPT NODE_OPTIONS NODE_PATH PSMODULEPATH ' +
    'GCONV_PATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS'
  ).split(' '),
);

/**
 * Whether a template may put an answer of this name into the environment of programs. Variables of Ansible and of
 * Terraform's command line can make them run other programs.
 */
export const canBeSetByAnswer = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !isSteering(name) && !/^(?:ANSIBLE|TF_CLI)_/.test(name);
