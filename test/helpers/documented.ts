// Checks that every answer of the server matches its OpenAPI document.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApi } from './openapi.ts';

interface Response {
  content?: Record<string, { schema: object }>;
}
interface Operation {
  operationId: string;
  responses: Record<string, Response>;
}

const document = openApi as {
  openapi: string;
  components: { schemas: object };
  paths: Record<string, Record<string, Operation>>;
};

const ajv = new Ajv2020({
  strict: false,
  allErrors: false,
  validateFormats: true,
  // Each validator is used only a few times, so that optimizing it takes longer than it saves.
  code: { optimize: false },
  inlineRefs: false,
});
(formats as unknown as (ajv: Ajv2020) => void)(ajv);

const segmentsIn = (path: string): number => path.split('/').filter((part) => part !== '').length;

/** The addresses by how many segments they have: a request is compared with few of them. */
const addresses = Map.groupBy(
  Object.entries(document.paths)
    .map(([path, operations]) => ({
      segments: segmentsIn(path),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
      // A literal word in a path wins over a parameter.
      words: path.replace(/\{\w+\}/g, '').length,
      operations,
    }))
    .toSorted((a, b) => b.words - a.words),
  ({ segments }) => segments,
);

// The whole document has one name, so that schemas to which many answers refer are compiled once.
ajv.addSchema({ components: document.components }, 'document');

const validators = new Map<object, ValidateFunction>();
/** By their texts: hundreds of refusals have the same few schemas. */
const compiled = new Map<string, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const text = inDocument(schema);
  const made = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
  compiled.set(text, made);
  validators.set(schema, made);
  return made;
}

/** The text of the same schema, with its references pointing into the document. */
const inDocument = (schema: object): string =>
  JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');

interface Replied {
  method: string;
  path: string;
  status: number;
  type: string;
  text: string;
}

/** Throws if the document does not describe the answer. */
export function checkReply({ method, path, status, type, text }: Replied): void {
  // The path is resolved as the server does it: `/api/project/../users` is another address.
  const { pathname: address } = new URL(path, 'http://localhost');
  const near = addresses.get(segmentsIn(address)) ?? [];
  const { operations } = near.find(({ pattern }) => pattern.test(address)) ?? {};
  const operation = operations?.[method.toLowerCase()];
  if (!operation) return;
  const response = operation.responses[status];
  const where = `${operation.operationId} answered ${status}`;
  if (!response) throw new Error(`${where}, which the document does not name: ${text}`);
  const media = type.split(';')[0] ?? '';
  const content = response.content?.[media];
  if (!response.content) {
    if (text !== '') throw new Error(`${where} with a body, which the document does not name`);
    return;
  }
  if (!content) throw new Error(`${where} as "${media}", which the document does not name`);
  if (media !== 'application/json') return;
  const validate = validatorOf(content.schema);
  if (validate(JSON.parse(text))) return;
  throw new Error(`${where}: ${ajv.errorsText(validate.errors)}: ${text.slice(0, 300)}`);
}
