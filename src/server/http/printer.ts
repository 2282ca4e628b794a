// Prints replies as JSON. A function that is generated from the schema of a reply checks the types of a
// value and writes the fields that the schema names, in one pass and without a copy of the value
// (docs/decisions/0050-*.md). It knows the kinds of schema that most replies consist of. zod checks
// everything else: schemas of other kinds, and values that the generated code does not accept.

import { z } from 'zod';

/** Answers undefined for a value that JSON leaves out. */
type Print = (value: unknown) => string | undefined;

const printers = new WeakMap<z.ZodType, Print>();

/** Prints a value without what its schema does not name; throws unless the value fits the schema. */
export function print(schema: z.ZodType, value: unknown): Buffer {
  try {
    if (isPlainArray(schema) && Array.isArray(value)) return printList(schema, value);
    return Buffer.from(printerOf(schema)(value) ?? 'null');
  } catch {
    // zod checks the whole value again, for an error with the whole path.
    return Buffer.from(JSON.stringify(schema.parse(value)));
  }
}

// V8 asks the system for the memory of each text that is much longer, and the system has to clear it.
const pieceLength = 32_768;

/** Turns the text of a long list into bytes piece by piece. */
function printList(schema: z.ZodArray, items: unknown[]): Buffer {
  const printItem = printerOf(schema.element as z.ZodType);
  const pieces: Buffer[] = [];
  let text = '[';
  for (const [index, item] of items.entries()) {
    if (text.length > pieceLength) {
      pieces.push(Buffer.from(text));
      text = '';
    }
    text += `${index === 0 ? '' : ','}${printItem(item) ?? 'null'}`;
  }
  pieces.push(Buffer.from(`${text}]`));
  return Buffer.concat(pieces);
}

/** Made when it is first needed, so that the server starts sooner. */
function printerOf(schema: z.ZodType): Print {
  const known = printers.get(schema);
  if (known) return known;
  const made = makePrinter(schema);
  printers.set(schema, made);
  return made;
}

function makePrinter(schema: z.ZodType): Print {
  if (isPlainObject(schema)) return objectPrinter(schema);
  if (isPlainArray(schema)) return arrayPrinter(schema);
  if (isShownAs(schema)) {
    const { transform } = schema.in.def;
    const printShown = printerOf(schema.out);
    return (value) => printShown((transform as (given: unknown) => unknown)(value));
  }
  return slowly(schema);
}

const slowly =
  (schema: z.ZodType): Print =>
  (value) =>
    JSON.stringify(schema.parse(value));

function arrayPrinter(schema: z.ZodArray): Print {
  const printItem = printerOf(schema.element as z.ZodType);
  const slow = slowly(schema);
  return (value) => {
    if (!Array.isArray(value)) return slow(value);
    let text = '[';
    for (const item of value) text += `${text === '[' ? '' : ','}${printItem(item) ?? 'null'}`;
    return `${text}]`;
  };
}

/** The names of constants in generated code, with their values. */
type Constants = Map<string, unknown>;

function constant(constants: Constants, value: unknown): string {
  const name = `c${constants.size}`;
  constants.set(name, value);
  return name;
}

function objectPrinter(schema: z.ZodObject): Print {
  const constants: Constants = new Map([['quoted', quoted]]);
  const slow = constant(constants, slowly(schema));
  const names = Object.keys(schema.shape);
  const reads = names.map((name, index) => `const f${index} = value[${JSON.stringify(name)}];`);
  const parts = names.map((name, index) => {
    const start = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    const field = schema.shape[name] as z.ZodType;
    const text = expression(field, `f${index}`, constants);
    if (isAlwaysThere(field)) return `${JSON.stringify(start)} + ${text}`;
    const begun = (printed?: string): string => (printed === undefined ? '' : start + printed);
    return `${constant(constants, begun)}(${text})`;
  });
  return generate(constants, [
    `if (typeof value !== 'object' || value === null || Array.isArray(value)) return ${slow}(value);`,
    ...reads,
    `return ${parts.join(' + ')} + '}';`,
  ]);
}

/** The text of the code contains nothing but the names and bounds in schemas. */
function generate(constants: Constants, lines: string[]): Print {
  const code = `return (value) => {\n${lines.join('\n')}\n};`;
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval, typescript/no-unsafe-call -- closures without generated code took longer than zod
  return new Function(...constants.keys(), code)(...constants.values()) as Print;
}

/** Code that prints the value of a field; the field is in a variable of this name. */
function expression(schema: z.ZodType, name: string, constants: Constants): string {
  const otherwise = `${constant(constants, printerOf(schema))}(${name})`;
  if (schema instanceof z.ZodNullable) {
    const inner = expression(schema.unwrap() as z.ZodType, name, constants);
    return `(${name} === null ? 'null' : ${inner})`;
  }
  const quick = quickly(schema, name, constants);
  return quick === null ? otherwise : `(${quick} ${otherwise})`;
}

/** The start of a conditional expression for values that need no further check; null: there is none. */
function quickly(schema: z.ZodType, name: string, constants: Constants): string | null {
  if (schema instanceof z.ZodBoolean && !hasChecks(schema)) {
    return `${name} === true ? 'true' : ${name} === false ? 'false' :`;
  }
  if (schema instanceof z.ZodISODateTime && schema.def.pattern && !hasChecks(schema)) {
    const pattern = constant(constants, schema.def.pattern);
    return `typeof ${name} === 'string' && ${pattern}.test(${name}) ? '"' + ${name} + '"' :`;
  }
  if (schema instanceof z.ZodString && !hasChecks(schema)) {
    return `typeof ${name} === 'string' ? quoted(${name}) :`;
  }
  if (schema instanceof z.ZodNumber && hasOnlyBounds(schema)) {
    const { minValue, maxValue } = schema;
    const isWithin = `${name} > ${minValue ?? -Infinity} && ${name} < ${maxValue ?? Infinity}`;
    return `Number.isSafeInteger(${name}) && ${isWithin} ? '' + ${name} :`;
  }
  if (schema instanceof z.ZodEnum && !hasChecks(schema)) {
    const texts = constant(
      constants,
      new Map(schema.options.map((option) => [option, JSON.stringify(option)])),
    );
    return `${texts}.has(${name}) ? ${texts}.get(${name}) :`;
  }
  return null;
}

const hasChecks = ({ def }: z.ZodType): boolean => (def.checks ?? []).length > 0;

const bounds: readonly string[] = ['greater_than', 'less_than', 'number_format'];
const hasOnlyBounds = ({ def }: z.ZodNumber): boolean =>
  // oxlint-disable-next-line no-underscore-dangle -- zod shows the kind of a check nowhere else
  (def.checks ?? []).every((check) => bounds.includes(check._zod.def.check));

/** An object without further fields, whose first field begins its text. */
function isPlainObject(schema: z.ZodType): schema is z.ZodObject {
  if (!(schema instanceof z.ZodObject) || hasChecks(schema) || schema.def.catchall) return false;
  const [first] = Object.values(schema.shape) as z.ZodType[];
  return first !== undefined && isAlwaysThere(first);
}

const isPlainArray = (schema: z.ZodType): schema is z.ZodArray =>
  schema instanceof z.ZodArray && !hasChecks(schema);

/** What `shownAs` makes, in shared/compatible/forms.ts. */
const isShownAs = (schema: z.ZodType): schema is z.ZodPipe<z.ZodTransform, z.ZodType> =>
  schema instanceof z.ZodPipe &&
  schema.in instanceof z.ZodTransform &&
  schema.in.def.transform.length === 1;

/** Whether JSON never leaves out a field of this schema. */
const isAlwaysThere = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodNullable
    ? isAlwaysThere(schema.unwrap() as z.ZodType)
    : alwaysThere.some((kind) => schema instanceof kind);

const alwaysThere = [
  z.ZodString,
  z.ZodISODateTime,
  z.ZodNumber,
  z.ZodBoolean,
  z.ZodEnum,
  z.ZodLiteral,
  z.ZodObject,
  z.ZodArray,
];

// What JSON writes as it is: no control characters, quotes, backslashes or surrogates.
const plainText = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

const quoted = (text: string): string =>
  plainText.test(text) ? `"${text}"` : JSON.stringify(text);
