// The endpoints that every resource of a project or of the installation has, whose id in the path is named after it.

import { z } from 'zod';
import { errors, type ErrorCode } from '../catalogue/errors.ts';
import type { Requirement } from '../permissions.ts';
import { endpoint, type Endpoint, type Schema } from './endpoint.ts';

type Verb = 'list' | 'create' | 'one' | 'update' | 'remove';

interface ResourceOptions<Query, Body, Change, Reply, Listed> extends Partial<
  Pick<Endpoint, 'forms' | 'kept'>
> {
  /** Needed to create, change and delete it. */
  permission: Requirement;
  /** Needed to read it; without it, every member may. */
  readPermission?: Requirement;
  /** Whether its creation needs the right on an object that the body names, which the handler checks. */
  createdFor?: boolean;
  summaries: Record<Verb, string>;
  query: Query;
  body: Body;
  /** The body of a change, if it differs from that of a creation. */
  change?: Change;
  changeForms?: Endpoint['forms'];
  reply: Reply;
  /** An entry of the list, if it differs from the reply. */
  listed?: Listed;
  /** Replaces `name_taken`, `in_use` and `request.stale`. */
  refuses?: Partial<Record<'create' | 'update' | 'remove', readonly ErrorCode[]>>;
}

export function resourceEndpoints<
  const Path extends string,
  const Noun extends string,
  Query extends Schema,
  Body extends Schema,
  Reply extends Schema,
  Change extends Schema = Body,
  Listed extends Schema = Reply,
>(path: Path, noun: Noun, options: ResourceOptions<Query, Body, Change, Reply, Listed>) {
  const { permission, summaries, query, body, reply, forms = null, kept = [], refuses } = options;
  const { changeForms = forms, readPermission = 'member', createdFor = false } = options;
  const { change = body, listed = reply } = options as { change?: Schema; listed?: Schema };
  const codesOf = (...codes: string[]) =>
    codes.filter((code): code is ErrorCode => errors.has(code));
  const one = `${path}/:${noun}_id` as const;
  return {
    list: endpoint.get(path, {
      permission: readPermission,
      summary: summaries.list,
      query,
      reply: z.array(listed as Listed),
    }),
    create: endpoint.post(path, {
      permission,
      ofObject: createdFor,
      summary: summaries.create,
      body,
      forms,
      reply,
      status: 201,
      refuses: refuses?.create ?? codesOf(`${noun}.name_taken`, 'request.stale'),
    }),
    one: endpoint.get(one, {
      permission: readPermission,
      summary: summaries.one,
      reply,
      versioned: true,
    }),
    update: endpoint.put(one, {
      permission,
      summary: summaries.update,
      body: change as Change,
      kept,
      forms: changeForms,
      versioned: true,
      refuses: refuses?.update ?? codesOf(`${noun}.name_taken`),
    }),
    remove: endpoint.delete(one, {
      permission,
      summary: summaries.remove,
      refuses: refuses?.remove ?? codesOf(`${noun}.in_use`),
    }),
  };
}
