import { z } from 'zod';
import { crossCheck } from '../cross-check.ts';
import { compatOnly } from '../compatible/forms.ts';
import { storedFields } from '../stored-fields.ts';
import { endpoint } from './endpoint.ts';
import {
  id,
  initially,
  insidePath,
  isMissing,
  line,
  multiline,
  optionalId,
  using,
  optionalLine,
} from '../fields.ts';
import { sortedQuery } from './page.ts';
import { refsEndpoint } from './references.ts';
import { resourceEndpoints } from './resource-endpoints.ts';

export const inventoryTypes = [
  'static',
  'static-yaml',
  'file',
  'terraform-workspace',
  'tofu-workspace',
] as const;

/** Whether templates of an app may have an inventory of a type. */
export const fitsApp = (type: InventoryType, app: string): boolean =>
  isWorkspace(type) ? app === 'terraform' || app === 'tofu' : app === 'ansible';

export type InventoryType = (typeof inventoryTypes)[number];

/** Both types are equivalent for Terraform and OpenTofu. */
export const isWorkspace = (type: InventoryType): boolean =>
  type === 'terraform-workspace' || type === 'tofu-workspace';

/** The names of workspaces that Terraform accepts. */
const workspaceName = /^[\w.~][\w.~-]{0,89}$/;

const filePath = insidePath(1024, 'inventory.path_required');

const fields = z.object({
  name: line(255, 'name.required'),
  type: z.enum(inventoryTypes, {
    error: (issue) => (isMissing(issue.input) ? 'inventory.type_required' : undefined),
  }),
  /** The content; the path in the repository for the type `file`, the name for a workspace. */
  inventory: initially(multiline(4 * 1024 * 1024), ''),
  /** The user credentials; null: none needed. */
  ssh_key_id: using('key.use', optionalId),
  become_key_id: using('key.use', optionalId),
  /** The repository with the file; null: the template's. */
  repository_id: using('repository.use', optionalId),
});

export const inventory = z.object({
  id,
  project_id: id,
  ...storedFields(fields.shape),
  /** Always null: inventories do not belong to a template. */
  ...compatOnly({ holder_id: z.null() }),
});
export type Inventory = z.output<typeof inventory>;

export const newInventory = crossCheck(fields, (check) => {
  check(['type', 'inventory'], ({ type, inventory: content }, refuse, refuseBy) => {
    if (isWorkspace(type) && !workspaceName.test(content)) {
      refuse('inventory', 'inventory.workspace_name');
    }
    if (type === 'file') refuseBy('inventory', filePath, content);
  });
});
export type NewInventory = z.output<typeof newInventory>;

/** The form requires a key, which API clients may omit for hosts that need none. */
export const filledInventory = crossCheck(newInventory, (check) => {
  check(['type', 'ssh_key_id'], ({ type, ssh_key_id: key }, refuse) => {
    if (key === null && !isWorkspace(type)) refuse('ssh_key_id', 'inventory.credentials_required');
  });
});

/** The content of an inventory, saved or not. */
const inventoryText = z.strictObject({
  type: z.enum(['static', 'static-yaml']),
  inventory: multiline(4 * 1024 * 1024),
});
export type InventoryText = z.output<typeof inventoryText>;

const groupPreview = z.object({
  name: z.string(),
  /** Without hosts of its children. */
  host_count: z.number().int(),
  hosts: z.array(z.string()),
  children: z.array(z.string()),
});

export const inventoryPreview = z.object({
  /** Whether Ansible can parse it; otherwise, the messages have the reason. */
  parsed: z.boolean(),
  host_count: z.number().int(),
  /** The first hosts with their variables. */
  hosts: z.array(z.object({ name: z.string(), variables: z.record(z.string(), z.unknown()) })),
  groups: z.array(groupPreview),
  /** Warnings and errors of Ansible. */
  messages: z.array(z.string()),
});
export type InventoryPreview = z.output<typeof inventoryPreview>;

export const inventories = {
  ...resourceEndpoints('/api/project/:project_id/inventory', 'inventory', {
    permission: 'inventory.edit',
    summaries: {
      list: 'The inventories of the project; their content is empty for guests',
      create: 'Add an inventory',
      one: 'One inventory; its content is empty for guests',
      update: 'Change an inventory',
      remove: 'Delete an inventory that nothing uses',
    },
    query: sortedQuery(['name', 'type']).extend({
      /** Only inventories for templates of this app. */
      app: optionalLine(50).optional(),
    }),
    body: newInventory,
    reply: inventory,
  }),
  preview: endpoint.post('/api/project/:project_id/inventory/preview', {
    permission: 'inventory.edit',
    summary: 'What Ansible makes of the content of an inventory: its hosts and groups',
    body: inventoryText,
    reply: inventoryPreview,
    refuses: ['inventory.preview_unavailable', 'request.too_slow', 'request.too_many_looks'],
  }),
  refs: refsEndpoint('/api/project/:project_id/inventory/:inventory_id', 'an inventory'),
};
