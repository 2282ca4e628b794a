// The facts of hosts that a project keeps, by the names that Ansible gives them.

import { z } from 'zod';

/** The most facts that a project keeps. */
export const MAX_FACTS = 50;

/** What the console offers: enough to tell one machine from another, and rarely different. */
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

/** A name, or names from the outside in: `default_ipv4.address`, `local.app.version`. */
const form = /^[a-z_][a-z0-9_]{0,59}(\.[A-Za-z0-9_:-]{1,60}){0,3}$/;

// Variables of playbooks have the prefix that `ansible_facts` does without.
const plainName = (name: string): string => name.replace(/^ansible_/, '');

/** The facts to keep, each once, in the order in which they are shown; empty: none is kept. */
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

/** The longest value that is kept, in characters. */
export const MAX_FACT_LENGTH = 1000;

/** The kept facts of a host by name, as a run has told them, masked. */
export const toldFacts = z.object({
  host: z.string(),
  facts: z.record(z.string().max(400), z.string().max(MAX_FACT_LENGTH)),
});
export type ToldFacts = z.output<typeof toldFacts>;
