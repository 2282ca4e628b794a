// The reasons of results of requests to integrations. Refusals of launches are in errors.ts.

import { errors } from './errors.ts';
import { type Coded, type CodeOf, defineCatalogue } from './catalogue.ts';
import { fieldErrors } from './field-errors.ts';

export const deliveryReasons = defineCatalogue({
  'delivery.matched': 'The request matches.',
  'delivery.values_missing': 'The request matches, but lacks {{names}}.',
  'delivery.branch_missing': 'The request has no {{key}}, which names the branch or commit to run.',
  'delivery.branch_deleted':
    'The request reports a deleted branch or tag: {{key}} consists of zeros.',
  'delivery.not_equal': 'Matcher "{{matcher}}": {{key}} is "{{seen}}", not "{{value}}".',
  'delivery.equal': 'Matcher "{{matcher}}": {{key}} is "{{seen}}", but must not be.',
  'delivery.not_contained': 'Matcher "{{matcher}}": {{key}} is "{{seen}}", without "{{value}}".',
  'delivery.nothing_there': 'Matcher "{{matcher}}": the request has no {{key}}.',
  'delivery.not_json': 'Matcher "{{matcher}}": the body is not JSON, so there is no {{key}} in it.',
  'delivery.key_missing': 'The integration has no key with a password to check the sender with.',
  'delivery.credentials_missing': 'The request has no header {{header}}.',
  'delivery.credentials_wrong': 'The header {{header}} does not match the key of the integration.',
  'delivery.time_wrong':
    'The request was signed at "{{sent}}", but it is {{now}} here: more than five minutes apart. Compare the clocks of the sender and of this server.',
  'delivery.duplicate': 'This delivery started a task before.',
  'delivery.signature_used':
    'A signed request with this content started a task within the last 24 hours. Add a time or a unique number to it.',
  'delivery.no_template': 'The integration has no template to run.',
  'delivery.branch_of_workflow':
    'The integration runs a workflow, which may use several repositories, so a request cannot choose a branch. Extract the branch as a variable instead.',
  'delivery.values_too_large': 'The extracted values are larger than {{limit}} bytes together.',
});
export type DeliveryCode = CodeOf<typeof deliveryReasons>;

/** The sentence of a reason, from this catalogue or from those of errors. */
export function deliveryMessage({ code, params }: Coded): string {
  for (const catalogue of [deliveryReasons, errors, fieldErrors]) {
    if (catalogue.has(code)) return catalogue.message({ code, params } as never);
  }
  return code;
}
