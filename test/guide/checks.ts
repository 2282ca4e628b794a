// The checks that claims of blocks name. The first ones need no server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { Alert } from '#shared/api/alert-deliveries.ts';
import { clientMessages } from '#shared/api/live.ts';
import { errors } from '#shared/catalogue/errors.ts';
import { fieldErrors } from '#shared/catalogue/field-errors.ts';
import { fillIn } from '#shared/catalogue/catalogue.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { bodyOf } from '../../src/server/alerts/messages.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { parseIdentity } from '../../src/server/config/identity-file.ts';

/** How a block is checked: at once, by `guide-commands.test.ts`, or by another file. */
export type Check =
  | { at: 'once'; check: (text: string) => unknown }
  | { at: 'server'; run: Run }
  | { at: 'elsewhere'; file: string; why: string };

/** What `guide-commands.test.ts` does with a block. */
export interface Run {
  /**
   * `commands`: a shell runs the block. `task`: it is a script, which a task runs. The others are
   * read by Ansible.
   */
  as: 'commands' | 'task' | 'inventory' | 'ansible.cfg' | 'playbook' | 'requirements';
  /** Texts of the block and what stands in their place in the test. */
  replace?: Record<string, string>;
  /** Further variables: of the shell, or the extra variables of the task. */
  variables?: Record<string, unknown>;
  /** What the shell reads as its input. */
  input?: string;
  /** What the output or the log has to contain. */
  shows?: string;
}

const once = (check: (text: string) => unknown): Check => ({ at: 'once', check });

/** Commands that a shell runs against a server, with `$TOKEN` and stand-ins for what installs. */
export const commands = (run: Omit<Run, 'as'> = {}): Check => ({
  at: 'server',
  run: { as: 'commands', ...run },
});

/** A script that a task of the server runs. */
export const task = (run: Omit<Run, 'as'> = {}): Check => ({
  at: 'server',
  run: { as: 'task', ...run },
});

/** A file that Ansible reads. */
export const ansible = (as: Exclude<Run['as'], 'commands' | 'task'>, shows?: string): Check => ({
  at: 'server',
  run: { as, ...(shows !== undefined && { shows }) },
});

/** Another test that does what the block says, and names the page. */
export const elsewhere = (file: string, why: string): Check => ({ at: 'elsewhere', file, why });

const assignment = /^(?:--env )?((?:SIGNALBOX_|HTTPS?_PROXY|NO_PROXY)\w*)=(\S+)/;

/** Lines `SIGNALBOX_X=…`, or those of proxies, that the server reads, alone, before a command, or as options of docker. */
export const settings = once((text) => {
  const lines = text.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = assignment.exec(line.trim()) ?? [];
    return name === '' || name.endsWith('_FILE') ? [] : [[name, realValue(name, value)] as const];
  });
  assert.notEqual(lines.length, 0);
  loadConfig(Object.fromEntries(lines));
});

const standIns: Record<string, string> = {
  SIGNALBOX_MASTER_KEY: Buffer.alloc(32).toString('base64'),
  SIGNALBOX_RUNNER_TOKEN: `sbr_${'a'.repeat(43)}`,
};

/** The value that a page shows, or one in the place of a shortened one. */
const realValue = (name: string, value: string): string =>
  value.includes('…') ? (standIns[name] ?? value) : value;

/** The body of a request. */
export const request = (schema: z.ZodType | null): Check =>
  once((text) => {
    assert.deepEqual(schema?.safeParse(JSON.parse(text)).error?.issues ?? [], []);
  });

/** An answer of the API, or a part of one. */
export const answer = (schema: z.ZodType): Check =>
  once((text) => {
    const content = JSON.parse(text) as unknown;
    assert.deepEqual(schema.parse(content), content);
  });

/** A message that a client sends over the websocket. */
export const clientMessage = once((text) => {
  const message = JSON.parse(text) as object;
  const readings = clientMessages.map(({ schema }) => schema.safeParse(message));
  assert.equal(readings.filter(({ success }) => success).length, 1);
});

/** An error as the API answers it: its codes exist, and its sentences are theirs. */
export const error = once((text) => {
  const { code, error: words, fields = [] } = JSON.parse(text) as ErrorBody;
  assert(errors.has(code));
  for (const field of fields) {
    const known = fieldErrors.has(field.code) ? fieldErrors.text(field.code) : errors.text(code);
    const pattern = fillIn(known, field.params ?? {}).replaceAll(/\{\{\w+\}\}/g, '.+');
    assert.match(field.message, new RegExp(`^${pattern.replaceAll(/[()?]/g, '\\$&')}$`));
  }
  const [first] = fields;
  if (words !== undefined && first) assert.equal(words, `${first.path}: ${first.message}`);
});

/** The body of an alert's webhook: what the server makes of the same facts. */
export const alertBody = once((text) => {
  const shown = JSON.parse(text) as Alert & { id?: string; title: string; link: string };
  const { id = 'x', title, link, ...rest } = shown;
  const others = { time: '', project: { id: 3, name: 'Trains' } };
  const alert: Alert = { ...others, ...rest };
  const made = bodyOf.webhook({ alert, id, publicUrl: new URL(link).origin }) as object;
  assert.deepEqual({ ...made, ...rest }, made);
  assert.deepEqual({ ...made, title, link }, made);
  if (shown.id !== undefined)
    assert.deepEqual(Object.keys(made).toSorted(), Object.keys(shown).toSorted());
});

/** An identity file; the files that it names hold anything. */
export const identityFile = once((text) => {
  const { providers, ldap } = parseIdentity(text, () => 'a secret');
  assert.equal([...providers, ldap].filter(Boolean).length, 1);
});

/** JSON of any content: what people enter themselves. */
export const anyJson = once((text) => JSON.parse(text) as unknown);

/** Whether a file names the page. */
export const namesPage = (file: string, page: string): boolean =>
  readFileSync(file, 'utf8').includes(page);
