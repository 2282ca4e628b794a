// Who may import whom outside the server: in the contract and in the console.

import { refusal } from './server-rules.ts';
import { type Rule, product } from './source.ts';

export const sharedImportsZodOnly: Rule = (files) =>
  product(files)
    .filter((file) => file.path.startsWith('src/shared/'))
    .flatMap((file) =>
      file.imports
        .filter(({ target, isFile }) =>
          isFile ? !target.startsWith('src/shared/') : target !== 'zod',
        )
        .map(({ target }) => refusal(file, target, 'src/shared imports zod and itself only')),
    );

interface FileZone {
  zone: string;
  /** Set in features only. */
  feature: string;
  path: string;
}

function placeOf(path: string): FileZone | null {
  const [src, web, zone = '', feature = ''] = path.split('/');
  return src === 'src' && web === 'web' ? { zone, feature, path } : null;
}

const zonesOpenTo: Record<string, string[]> = {
  features: ['resources', 'lib', 'ui', 'styles', 'locales'],
  resources: ['resources', 'lib', 'ui', 'styles', 'locales'],
  ui: ['ui', 'styles'],
  lib: ['lib', 'locales', 'styles'],
  styles: ['styles'],
  locales: ['locales'],
};

function reasonAgainst(from: FileZone, to: FileZone): string | null {
  // The mounting file and app/ connect all other parts.
  const open = zonesOpenTo[from.zone];
  if (open === undefined || open.includes(to.zone)) return null;
  if (from.zone === 'features' && to.zone === 'features') {
    if (to.feature === from.feature || /\.queries\.tsx?$/.test(to.path)) return null;
    return 'from another feature only its queries are imported; pages meet in app/';
  }
  if (from.zone === 'ui' && /^src\/web\/lib\/(i18n|server-back)\.ts$/.test(to.path)) return null;
  if (from.zone === 'ui')
    return 'ui/ knows no domain: of lib/ only i18n and server-back, nothing else of the console';
  return `${from.zone}/ does not know ${to.zone}`;
}

export const webLayers: Rule = (files) =>
  product(files).flatMap((file) => {
    const from = placeOf(file.path);
    if (!from) return [];
    return file.imports.flatMap(({ target, isFile }) => {
      const to = placeOf(target);
      const reason = isFile && to ? reasonAgainst(from, to) : null;
      return reason === null ? [] : [refusal(file, target, reason)];
    });
  });

export const uiKnowsNoContract: Rule = (files) =>
  product(files)
    .filter((file) => file.path.startsWith('src/web/ui/'))
    .flatMap((file) =>
      file.imports
        .filter(({ target }) => target.startsWith('src/shared/'))
        .map(({ target }) => refusal(file, target, 'ui/ knows no domain, so no contract either')),
    );

export const webStaysOnItsSide: Rule = (files) =>
  product(files)
    .filter((file) => file.path.startsWith('src/web/'))
    .flatMap((file) =>
      file.imports
        .filter(({ target, isFile }) =>
          isFile ? !/^src\/(web|shared)\//.test(target) : target.startsWith('node:'),
        )
        .map(({ target }) =>
          refusal(file, target, 'the console imports only itself and the contract in src/shared'),
        ),
    );

/** The build leaves the schemas of endpoints out: see record 51. */
export const webReadsNoReplySchema: Rule = (files) =>
  product(files)
    .filter((file) => file.path.startsWith('src/web/') && /\.reply\b/.test(file.code))
    .map(
      ({ path }) => `${path}: read no schema of an endpoint, since the console is built without.`,
    );

/** Elements that a name is prohibited for, unless they have a role. */
const nameless = /<(?:div|span|p|code|pre|strong|em|dt|dd)\b/g;

/** Screen readers pass over the name of an element without a role. */
export const namesNeedRoles: Rule = (files) =>
  product(files)
    .filter((file) => /^src\/web\/.*\.tsx$/.test(file.path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(nameless)]
        .map(({ index }) => openingTag(code, index))
        .filter((tag) => /\saria-label(?:ledby)?=/.test(tag) && !/\srole=/.test(tag))
        .map((tag) => `${path}: give ${/^<\w+/.exec(tag)?.[0]}> a role beside its name.`),
    );

/** An element from its "<" to the ">" that is in no braces. */
function openingTag(code: string, start: number): string {
  let depth = 0;
  for (let at = start; at < code.length; at += 1) {
    const sign = code[at];
    if (sign === '{') depth += 1;
    if (sign === '}') depth -= 1;
    if (sign === '>' && depth === 0) return code.slice(start, at);
  }
  return code.slice(start);
}
