// The identity file, read once at the start: OpenID Connect providers and an LDAP directory.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isMap, isSeq, parse, parseDocument } from 'yaml';
import { z } from 'zod';
import { isHostOrNetwork } from '../lib/address-rule.ts';
import { accountRules, directorySchema, text, type Directory } from './directory-settings.ts';

export interface Identity {
  /** In the order of their buttons. */
  providers: OidcProvider[];
  ldap: Directory | null;
  /** Whether all users may sign in with a password; otherwise administrators only. */
  passwordLogin: boolean;
}

// The first of several claims that has a value is used.
const names = (...initial: string[]) =>
  z
    .union([text(255).transform((one) => [one]), z.array(text(255)).min(1).max(20)])
    .default(initial);

const issuer = text().refine(
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  { error: 'must be an https address' },
);

const reserved = ['ldap', 'any', 'local'];

const provider = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\w-]{1,64}$/, { error: 'may hold letters, digits, "-" and "_"' })
      .refine((id) => !reserved.includes(id), { error: `must not be ${reserved.join(', ')}` }),
    name: text(100),
    issuer,
    client_id: text(),
    client_secret: text().optional(),
    client_secret_file: text().optional(),
    scopes: z.array(text(200)).max(50).default(['openid', 'profile', 'email']),
    color: z
      .string()
      .regex(/^(?:#[\da-f]{3,8}|[a-z]{1,30})$/i, { error: 'must be a colour such as #1f6feb' })
      .default('gray'),
    icon: z.string().max(100).default(''),
    order: z.number().int().default(0),
    claims: z
      .strictObject({
        username: names('preferred_username', 'email'),
        name: names('name', 'preferred_username', 'email'),
        email: names('email'),
      })
      .prefault({}),
    groups_claim: text(255).default('groups'),
    ...accountRules,
    end_session: z.boolean().default(true),
    allow_private: z
      .union([
        z.boolean(),
        z.array(z.string().refine(isHostOrNetwork, { error: 'must be a host or a network' })),
      ])
      .default(false),
  })
  .refine((one) => one.allow_private !== false || one.issuer.startsWith('https:'), {
    path: ['issuer'],
    error: 'must be an https address, unless allow_private is set',
  })
  .refine((one) => one.client_secret === undefined || one.client_secret_file === undefined, {
    path: ['client_secret'],
    error: 'and client_secret_file are both given; leave one out',
  });

export type OidcProvider = Omit<z.output<typeof provider>, 'client_secret_file'>;

const file = z
  .strictObject({
    oidc: z.array(provider).max(50).default([]),
    ldap: directorySchema.optional(),
    password_login: z
      .union([z.boolean(), z.enum(['on', 'off']).transform((word) => word === 'on')])
      .default(true),
  })
  .refine(({ oidc }) => new Set(oidc.map(({ id }) => id)).size === oidc.length, {
    path: ['oidc'],
    error: 'has two providers with the same id',
  })
  .refine((all) => all.password_login || all.ldap === undefined, {
    path: ['password_login'],
    error: 'must be on where a directory is asked: passwords of the directory need the form',
  })
  .refine((all) => all.password_login || all.oidc.length > 0, {
    path: ['password_login'],
    error: 'must be on where no provider is given: nobody could sign in',
  });

export function readIdentityFile(path: string): Identity {
  const beside = (name: string): string => resolve(dirname(path), name);
  return parseIdentity(readText(path), (name) => readText(beside(name)));
}

/** The text of the file without its secrets; null if it cannot be read. */
export function identityWithoutSecrets(path: string): string | null {
  try {
    const document = parseDocument(readFileSync(path, 'utf8'));
    const providers = document.get('oidc');
    const directory = document.get('ldap');
    if (isSeq(providers)) {
      for (const one of providers.items) if (isMap(one)) one.delete('client_secret');
    }
    if (isMap(directory)) directory.delete('bind_password');
    return document.errors.length === 0 ? document.toString() : null;
  } catch {
    return null;
  }
}

/** Throws an Error of one line. `read` returns the content of a file in the same folder. */
export function parseIdentity(content: string, read: (name: string) => string): Identity {
  let value: unknown;
  try {
    value = parse(content);
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split('\n');
    throw new Error(`it is not valid YAML: ${reason.replace(/:$/, '')}`, { cause });
  }
  const result = file.safeParse(value ?? {}, { reportInput: true });
  if (!result.success) throw new Error(wordsOf(result.error));
  const { oidc, ldap, password_login: passwordLogin } = result.data;
  return {
    providers: oidc.map((one) => toProvider(one, read)).sort((a, b) => a.order - b.order),
    ldap: ldap ? toDirectory(ldap, read) : null,
    passwordLogin,
  };
}

type ReadFile = (name: string) => string;

function toProvider(
  { client_secret_file: secretFile, ...rest }: z.output<typeof provider>,
  read: ReadFile,
): OidcProvider {
  const secret = secretFile === undefined ? rest.client_secret : read(secretFile).trim();
  const scopes = [...new Set(['openid', ...rest.scopes])];
  return { ...rest, scopes, ...(secret !== undefined && { client_secret: secret }) };
}

function toDirectory(
  { bind_password_file: secretFile, ca_file: caFile, ...rest }: z.output<typeof directorySchema>,
  read: ReadFile,
): Directory {
  const password = secretFile === undefined ? rest.bind_password : read(secretFile).trim();
  return { ...rest, bind_password: password ?? '', ca: caFile ? read(caFile) : null };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`the file ${path} cannot be read`, { cause });
  }
}

/** For example `oidc[0].client_id is missing`. */
const wordsOf = ({ issues }: z.ZodError): string => issues.map(wordsOfIssue).join('; ');

function wordsOfIssue(issue: z.core.$ZodIssue): string {
  const place = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  if (issue.code === 'unrecognized_keys') {
    return `${[place, issue.keys[0]].filter(Boolean).join('.')} is not known`;
  }
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  if (isMissing) return `${place} is missing`;
  if (issue.code === 'custom' || issue.code === 'invalid_format') {
    return `${place} ${issue.message}`;
  }
  return `${place || 'it'} is not valid: ${issue.message}`;
}
