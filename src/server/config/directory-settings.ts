// The LDAP or Active Directory section of the identity file.

import { z } from 'zod';
import { filterMistake, unknownPlaceholders } from './ldap-filter.ts';

export const text = (max = 2000) => z.string().min(1).max(max);

/** Rules of linking and creating accounts, of a provider or the directory. */
export const accountRules = {
  link_by_email: z.boolean().default(true),
  link_local_users: z.boolean().default(false),
  link_administrators: z.boolean().default(false),
  create_users: z.boolean().default(true),
  /** New accounts without e-mail address use their login in its place. */
  create_users_without_email: z.boolean().default(false),
};

const placeholders = {
  user_filter: ['{login}'],
  group_filter: ['{dn}', '{username}'],
};

const filter = (known: string[]) =>
  text().superRefine((value, { addIssue }) => {
    const message = filterMistake(value, known);
    if (message !== null) addIssue({ code: 'custom', message });
  });

export const directorySchema = z
  .strictObject({
    name: text(100).default('LDAP'),
    url: text().refine((value) => /^ldaps?:\/\/[^/\s]+\/?$/.test(value), {
      error: 'must be an address such as ldaps://ldap.example.com',
    }),
    start_tls: z.boolean().default(false),
    /** Whether passwords may be sent without encryption. */
    allow_plain: z.boolean().default(false),
    ca_file: text().optional(),
    /** Empty for an anonymous search. */
    bind_dn: z.string().max(2000).default(''),
    bind_password: text().optional(),
    bind_password_file: text().optional(),
    base_dn: text(),
    user_filter: filter(placeholders.user_filter).default('(uid={login})'),
    attributes: z
      .strictObject({
        username: text(100).default('uid'),
        name: text(100).default('cn'),
        /** The first of several attributes that has an address is used. */
        email: z
          .union([text(100).transform((one) => [one]), z.array(text(100)).min(1).max(20)])
          .default(['mail']),
        groups: text(100).default('memberOf'),
        /** The stable id of an entry; by default entryUUID or objectGUID, otherwise the DN. */
        id: text(100).optional(),
      })
      .prefault({}),
    group_base_dn: text().optional(),
    group_filter: filter(placeholders.group_filter).default('(member={dn})'),
    ...accountRules,
    timeout_s: z.number().int().min(1).max(60).default(5),
  })
  .refine((one) => one.url.startsWith('ldaps:') || one.start_tls || one.allow_plain, {
    path: ['url'],
    error: 'must begin with ldaps://, or start_tls be true; allow_plain gives up encryption',
  })
  .refine((one) => one.bind_password === undefined || one.bind_password_file === undefined, {
    path: ['bind_password'],
    error: 'and bind_password_file are both given; leave one out',
  });

export interface Directory extends Omit<
  z.output<typeof directorySchema>,
  'bind_password' | 'bind_password_file' | 'ca_file'
> {
  bind_password: string;
  /** PEM; null for the certificates of the system. */
  ca: string | null;
}

/** Warnings about unencrypted passwords and about unknown placeholders of filters. */
export function directoryWarnings(directory: Directory): string[] {
  const { url, allow_plain: isAllowed, start_tls: isEncrypted } = directory;
  const isPlain = isAllowed && !isEncrypted && url.startsWith('ldap:');
  const plain = `Passwords are sent to ${url} without encryption (allow_plain).`;
  return [...(isPlain ? [plain] : []), ...placeholderWarnings(directory)];
}

const placeholderWarnings = (directory: Directory): string[] =>
  (['user_filter', 'group_filter'] as const).flatMap((setting) =>
    unknownPlaceholders(directory[setting], placeholders[setting]).map(
      (name) =>
        `ldap.${setting} of the identity file has ${name}, which is sent to the directory as it is. What is filled in: ${placeholders[setting].join(', ')}.`,
    ),
  );
