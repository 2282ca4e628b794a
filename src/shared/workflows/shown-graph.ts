// A graph in replies of the API, with all fields.

import { z } from 'zod';
import { id } from '../fields.ts';
import { taskParams } from '../launch.ts';
import { shownSurveyField } from '../survey/survey-variable.ts';
import { edgeConditions, joins, timeoutRules } from './graph.ts';

const anyNode = {
  key: z.string(),
  name: z.string(),
  join: z.enum(joins),
  position: z.object({ x: z.number(), y: z.number() }).nullable(),
};

const input = z.object({ name: z.string(), node: z.string(), output: z.string() });

export const shownNode = z.discriminatedUnion('type', [
  z.object({
    ...anyNode,
    type: z.literal('template'),
    template_id: id,
    params: taskParams.nullable(),
    inputs: z.array(input),
    build_node: z.string().nullable(),
  }),
  z.object({
    ...anyNode,
    type: z.literal('approval'),
    question: z.string(),
    roles: z.array(z.string()),
    user_ids: z.array(id),
    not_launcher: z.boolean(),
    fields: z.array(shownSurveyField),
    timeout_s: z.number().int().nullable(),
    on_timeout: z.enum(timeoutRules),
  }),
  z.object({
    ...anyNode,
    type: z.literal('wait'),
    seconds: z.number().int().nullable(),
    until: z.string().nullable(),
    time_zone: z.string(),
  }),
  z.object({ ...anyNode, type: z.literal('workflow'), workflow_id: id }),
]);

const edge = z.object({ from: z.string(), to: z.string(), when: z.enum(edgeConditions) });

export const shownGraph = z.object({ nodes: z.array(shownNode), edges: z.array(edge) });
