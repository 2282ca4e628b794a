// The names of environment variables, and those that nobody but the administrator and the authors of
// environments may set.

/** Whether a process can have a variable of this name. */
export const isEnvironmentName = (name: string): boolean =>
  name !== '' && !name.includes('=') && !name.includes('\0');

/** Whether programs or libraries change their behaviour by this variable; an answer must not set it. */
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
 * Whether the author of a template may have an answer of this name put into the environment of its
 * programs. Variables of Ansible and of the command line of Terraform can make them run other programs.
 */
export const canBeSetByAnswer = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !isSteering(name) && !/^(?:ANSIBLE|TF_CLI)_/.test(name);
