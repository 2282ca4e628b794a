// Reads all settings from the environment and the files that it names. Collects all mistakes.

import { readFileSync } from 'node:fs';
import { filesVariable } from './environment-files.ts';
import { nearest } from './nearest.ts';
import type { Setting } from './setting-values.ts';
import { settings, type SettingName } from './settings.ts';

export type Values = Record<SettingName, string | undefined>;

type Environment = NodeJS.ProcessEnv;

export type FileReaders = Awaited<ReturnType<typeof loadFileReaders>>;

export async function loadFileReaders() {
  const { parse } = await import('yaml');
  const { identityWithoutSecrets, readIdentityFile } = await import('./identity-file.ts');
  const parseYaml = (text: string): unknown => parse(text);
  return { parseYaml, readIdentityFile, identityWithoutSecrets };
}

/** Problems are sentences for the administrator, without secrets. */
export function readSettings(
  environment: Environment,
  readers: FileReaders | null,
): { values: Values; problems: string[] } {
  const file = readConfigFile(environment['SIGNALBOX_CONFIG'], readers);
  const problems = [...unknownVariables(environment), ...file.problems];
  const entries = settings.map((setting: Setting) => {
    const { value, problem } = readValue(setting, environment, file.content);
    if (problem !== undefined) problems.push(problem);
    return [setting.name, value];
  });
  return { values: Object.fromEntries(entries) as Values, problems };
}

interface SettingValue {
  value: string | undefined;
  problem?: string;
}

function readValue(
  setting: Setting,
  environment: Environment,
  file: Record<string, unknown>,
): SettingValue {
  const { initial } = setting;
  const secret = environment[setting.name] ? null : readSecretFile(setting, environment);
  if (secret?.problem !== undefined) return { value: initial, problem: secret.problem };
  const raw = environment[setting.name] || secret?.value || file[setting.name];
  if (raw === undefined || raw === null || raw === '') return { value: initial };
  // Settings are scalars.
  if (typeof raw === 'object') return { value: initial, problem: refusal(setting, raw) };
  const value = raw === true ? 'on' : raw === false ? 'off' : String(raw as string | number);
  return setting.accepts(value) ? { value } : { value: initial, problem: refusal(setting, value) };
}

function refusal(setting: Setting, value: unknown): string {
  const shown = setting.secret ? 'a value that is hidden here' : JSON.stringify(value);
  return `${setting.name} holds ${shown}, but must hold ${setting.holds}.`;
}

function readSecretFile(setting: Setting, environment: Environment): SettingValue {
  const path = setting.secret ? environment[`${setting.name}_FILE`] : undefined;
  if (!path) return { value: undefined };
  try {
    return { value: readFileSync(path, 'utf8').trimEnd() };
  } catch {
    const problem = `${setting.name}_FILE names a file that cannot be read: ${path}`;
    return { value: undefined, problem };
  }
}

const settingNames: string[] = settings.map(({ name }) => name);
const fileNames = settings
  .filter((setting: Setting) => setting.secret)
  .map(({ name }) => `${name}_FILE`);
const known = new Set([...settingNames, ...fileNames, 'SIGNALBOX_CONFIG', filesVariable]);

/** Variables of development commands, of tasks, and of Docker and Kubernetes for a service "signalbox". */
const reservedVariables = [
  /^SIGNALBOX_(?:INSTALL_PROGRAMS|TEST_SEED|PROPERTY_RUNS|CANARY)$/,
  /^SIGNALBOX_(?:RUN|VARIABLES|PROGRESS_FILE|TASK_[A-Z_]+)$/,
  /^SIGNALBOX_(?:[A-Z\d_]+_)?(?:SERVICE_(?:HOST|PORT)\w*|PORT_\d+_(?:TCP|UDP)\w*)$/,
];

function unknownVariables(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('SIGNALBOX_') && !known.has(name))
    .filter((name) => !reservedVariables.some((pattern) => pattern.test(name)))
    .toSorted()
    .map((name) => `${name} is not a setting.${meant(name, known)}`);
}

function meant(name: string, names: Iterable<string>): string {
  const found = nearest(name, names);
  return found === null ? ' Remove it.' : ` Did you mean ${found}?`;
}

interface ConfigFile {
  content: Record<string, unknown>;
  problems: string[];
}

function readConfigFile(path: string | undefined, readers: FileReaders | null): ConfigFile {
  const wrong = (problem: string): ConfigFile => ({ content: {}, problems: [problem] });
  if (!path) return { content: {}, problems: [] };
  if (!readers) throw new Error('Nothing is loaded that reads the file of settings.');
  let content: unknown;
  try {
    // JSON is valid YAML.
    content = readers.parseYaml(readFileSync(path, 'utf8'));
  } catch (error) {
    // Only the first line is free of file content, which may contain secrets.
    const [reason = ''] = (error as Error).message.split('\n');
    return wrong(
      `SIGNALBOX_CONFIG names a file that is not valid: ${path}: ${reason.replace(/:$/, '')}`,
    );
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return wrong(`SIGNALBOX_CONFIG must name a file of NAME: value lines: ${path}`);
  }
  const problems = Object.keys(content)
    .filter((name) => !settingNames.includes(name))
    .map((name) => `SIGNALBOX_CONFIG has the unknown setting ${name}.${meant(name, settingNames)}`);
  return { content: content as Record<string, unknown>, problems };
}

// The settings that differ from the defaults, without secrets, for a backup.

export interface GivenSettings {
  /** Lines of NAME="value", as systemd and shells read them. */
  lines: string;
  /** The identity file without its secrets; null if there is none. */
  identity: string | null;
}

export function givenSettings(
  environment: NodeJS.ProcessEnv,
  readers: FileReaders | null,
): GivenSettings {
  const { values } = readSettings(environment, readers);
  const { SIGNALBOX_IDENTITY_FILE: path } = values;
  return {
    lines: settings.map((setting: Setting) => lineOf(setting, values)).join(''),
    identity: path === undefined ? null : (readers?.identityWithoutSecrets(path) ?? null),
  };
}

function lineOf({ name, initial, secret }: Setting, values: Values): string {
  const value = values[name as keyof Values];
  if (value === undefined || value === initial) return '';
  if (secret) return `# ${name} is set; its value is secret, and not in the backup.\n`;
  return `${name}="${value.replaceAll(/[\\"$`]/g, '\\$&')}"\n`;
}
