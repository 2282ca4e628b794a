// Keeps PostgreSQL's plans of statements that are sent again and again: planning most of them takes
// longer than executing them.

import { Client } from './pg.ts';
import { saysSamePlan } from './same-plan.ts';

/** A text that is sent this often is worth a plan that each connection keeps. */
const often = 10;

/** The most texts with a kept plan, because each takes memory in every connection. */
const mostPlans = 150;

/** The most texts that are counted; the texts of lists that are filtered differ without end. */
const mostCounted = 2000;

/**
 * What a plan must not be kept for, unless the statement says that its best plan is always the same. A
 * kept plan suits average values: with a limit, or for the least or largest value, it could read a
 * whole table before it finds a rare one.
 */
const limited = /(?<!")\blimit\b|\b(?:min|max)\(/i;

/**
 * A star means other columns as soon as a newer version of the server has added one, and PostgreSQL
 * then refuses the kept statement.
 */
const starred = /\*(?!\))/;

const needsItsOwn = (text: string): boolean =>
  starred.test(text) || (limited.test(text) && !saysSamePlan(text));

class KeptPlans {
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** The name under which the plan of a text is kept; undefined for a text that is planned each time. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name || this.#names.size === mostPlans || needsItsOwn(text)) return name;
    if (this.#counts.size === mostCounted) this.#counts.clear();
    const count = (this.#counts.get(text) ?? 0) + 1;
    this.#counts.set(text, count);
    if (count === often) this.#names.set(text, `kept_${this.#names.size}`);
    return this.#names.get(text);
  }
}

type Query = (query: unknown, ...further: unknown[]) => Promise<unknown>;

/** The class of the connections to one database. */
export function planningClient(): typeof Client {
  const plans = new KeptPlans();
  return class extends Client {
    override readonly query = ((query, ...further) => {
      const send = super.query.bind(this) as Query;
      const [values] = further;
      const name = typeof query === 'string' && Array.isArray(values) && plans.nameOf(query);
      return name ? send({ name, text: query, values }) : send(query, ...further);
    }) as Query as Client['query'];
  };
}
