// State of a server or runner lives in an object that is made and closed in one place.

import { type Rule, product } from './source.ts';

/** A variable, an empty collection, or an object of a class, outside of all functions. */
const state =
  /^(?:export )?(?:let |const \w+(?:: [^=]+)? = (?:\[\]|\{\}|new (?!(?:WeakMap|WeakSet|RegExp|Date|URL|Text(?:En|De)coder|Intl\.\w+)\b|(?:Map|Set)(?:<[^;(]*>)?\(\s*[^\s)])\w+))/m;

/** Each with the reason. */
const allowed = new Set([
  // The processes of the machine, which are no runner's own: all calls during a scan share the next one.
  'src/runner/programs/processes.ts',
  // Tables of addresses, which are complete when the module is loaded.
  'src/server/lib/address-rule.ts',
]);

export const noStateOfModules: Rule = (files) =>
  product(files)
    .filter(({ path }) => /^src\/(?:server|runner|node)\//.test(path) && !allowed.has(path))
    .flatMap(({ path, code }) => {
      const found = state.exec(code)?.[0].trim();
      return found === undefined
        ? []
        : [
            `${path} keeps state in the module ("${found}"): keep it in the object that owns it, or by its owner with node/async/state-of.ts.`,
          ];
    });
