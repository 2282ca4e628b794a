// What only one place may do, found as plain text.

import { type Rule, product } from './source.ts';

interface OnlyHere {
  what: string;
  pattern: RegExp;
  /** Where it is looked for. */
  within: RegExp;
  allowed: RegExp;
  instead: string;
}

function onlyHere({ what, pattern, within, allowed, instead }: OnlyHere): Rule {
  return (files) =>
    product(files)
      .filter((file) => within.test(file.path) && !allowed.test(file.path))
      .flatMap((file) => {
        const found = pattern.exec(file.code)?.[0].trim();
        return found === undefined ? [] : [`${file.path} ${what} ("${found}"): ${instead}.`];
      });
}

const server = /^src\/server\//;

export const onlyProcessSpawns = onlyHere({
  what: 'uses child processes',
  pattern: /['"](node:)?child_process['"]/,
  within: /^src\//,
  allowed: /^src\/server\/runner\/process\.ts$/,
  instead: 'only runner/process.ts starts programs, so that every one of them can be ended',
});

export const onlyVaultDecrypts = onlyHere({
  what: 'decrypts',
  pattern: /\bcreateDecipheriv\b/,
  within: /^src\//,
  allowed: /^src\/server\/keys\/vault\.ts$/,
  instead: 'only keys/vault.ts opens secrets',
});

export const onlyConfigReadsEnvironment = onlyHere({
  what: 'reads the environment',
  pattern: /\bprocess\.env\b|\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*'node:process'/,
  within: server,
  allowed: /^src\/server\/config\.ts$/,
  instead: 'only config.ts does; everything else takes its values from the Config',
});

export const onlyStoresHoldSql = onlyHere({
  what: 'holds SQL',
  pattern: /\.(selectFrom|insertInto|updateTable|deleteFrom|replaceInto)\(|\bsql(<[^`]*>)?`/,
  within: server,
  allowed: /^src\/server\/(db\/|.*\.store\.ts$)/,
  instead: 'only *.store.ts and db/ do; give the query a name in the store of its noun',
});

export const onlyOutboundAsks = onlyHere({
  what: 'asks other servers',
  pattern:
    /\bfetch\(|\bimport\s*\{[^}]*\b(?:request|get|fetch)\b[^}]*\}\s*from\s*'(?:node:https?|undici)'/,
  within: server,
  // The mirrors have a `fetch` of git, and the queue of jobs has one of its own. A remote runner asks
  // the one server that its own settings name: nobody who uses the console chooses that address.
  allowed: /^src\/server\/(outbound|remote\/client|runner\/git\/mirror|db\/jobs)\.ts$/,
  instead: 'only outbound.ts does, which reaches nothing inside for users',
});

export const onlyTokensHoldColours = onlyHere({
  what: 'names a colour',
  // A colour as hash and 3, 4, 6 or 8 digits, as a value or in quotes, or as a function
  // (one that varies another colour names none).
  pattern:
    /(?<=['"`:,\s(])#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})(?![\w-])|\b(?:rgba?|hsla?|hwb|oklch|oklab|lab|lch)\((?!\s*from\s)/i,
  within: /^src\/web\//,
  allowed: /^src\/web\/styles\/tokens\.css$/,
  instead: 'colours stand in styles/tokens.css, for light and dark; name a role with var(--...)',
});
