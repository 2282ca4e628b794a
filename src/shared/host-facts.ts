// The facts of hosts that a project keeps, by Ansible's names.

import { z } from 'zod';

export const MAX_FACTS = 50;

/** Suggestions of the console: facts that identify a machine and rarely change. */
export const usualFacts = [
  'distribution',
  'distribution_version',
  'kernel',
  'architecture',
  'processor_vcpus',
  'memtotal_mb',
  'fqdn',
  'default_ipv4.address',
  'virtualization_type',
  'python_version',
];

/** A name, or a path of names: `default_ipv4.address`, `local.app.version`. */
const form = /^[a-z_][a-z0-9_]{0,59}(\.[A-Za-z0-9_:-]{1,60}){0,3}$/;

// Variables of playbooks have the prefix, but `ansible_facts` does not.
const plainName = (name: string): string => name.replace(/^ansible_/, '');

/** The facts to keep, without duplicates, in the order in which they are shown. */
export const factNames = z
  .array(
    z
      .string()
      .trim()
      .transform(plainName)
      .refine((name) => form.test(name), { error: 'host.fact_form' }),
  )
  .max(MAX_FACTS)
  .transform((names) => [...new Set(names)]);

export const MAX_FACT_LENGTH = 1000;

/** The facts of a host by name, masked. */
export const toldFacts = z.object({
  host: z.string(),
  facts: z.record(z.string().max(400), z.string().max(MAX_FACT_LENGTH)),
});
export type ToldFacts = z.output<typeof toldFacts>;
