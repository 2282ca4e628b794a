import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  id,
  idParam,
  initially,
  insidePath,
  isMissing,
  line,
  multiline,
  nullable,
} from './fields.ts';
import { sortedQuery } from './page.ts';
import { inProject } from './projects.ts';
import { refsEndpoint } from './references.ts';

export const inventoryTypes = ['static', 'static-yaml', 'file', 'terraform-workspace'] as const;
export type InventoryType = (typeof inventoryTypes)[number];

export const inventory = z.object({
  id,
  project_id: id,
  name: z.string(),
  type: z.enum(inventoryTypes),
  /** The content; of a file its path inside the repository; of a workspace its name. */
  inventory: z.string(),
  /** User credentials; a workspace may have none. */
  ssh_key_id: id.nullable(),
  /** Sudo credentials. */
  become_key_id: id.nullable(),
  /** The repository that holds the file; null: the template's own. */
  repository_id: id.nullable(),
  /** Always null: no template holds an inventory for itself. */
  holder_id: z.null(),
});
export type Inventory = z.output<typeof inventory>;

/** What Terraform accepts as the name of a workspace. */
const workspaceName = /^[\w.~][\w.~-]{0,89}$/;

const filePath = insidePath(1024, 'inventory.path_required');

export const newInventory = z
  .object({
    name: line(255, 'name.required'),
    type: z.enum(inventoryTypes, {
      error: (issue) => (isMissing(issue.input) ? 'inventory.type_required' : undefined),
    }),
    inventory: initially(multiline(4 * 1024 * 1024), ''),
    ssh_key_id: nullable(id),
    become_key_id: nullable(id),
    repository_id: nullable(id),
  })
  .superRefine((value, context) => {
    const isWorkspace = value.type === 'terraform-workspace';
    if (value.ssh_key_id === null && !isWorkspace) {
      const message = 'inventory.credentials_required';
      context.addIssue({ code: 'custom', path: ['ssh_key_id'], message });
    }
    if (isWorkspace && !workspaceName.test(value.inventory)) {
      const message = 'inventory.workspace_name';
      context.addIssue({ code: 'custom', path: ['inventory'], message });
    }
    if (value.type !== 'file') return;
    const path = filePath.safeParse(value.inventory, { reportInput: true });
    const issue = path.error?.issues[0];
    if (issue) context.addIssue({ ...issue, path: ['inventory'] } as never);
  });
export type NewInventory = z.output<typeof newInventory>;

const params = inProject.extend({ inventory_id: idParam });

export const inventories = {
  list: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/inventory',
    permission: 'member',
    summary: 'The inventories of the project; their content is empty for guests',
    params: inProject,
    query: sortedQuery(['name', 'type']),
    reply: z.array(inventory),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/inventory',
    permission: 'manage_resources',
    summary: 'Add an inventory',
    params: inProject,
    body: newInventory,
    reply: inventory,
    status: 201,
  }),
  one: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/inventory/:inventory_id',
    permission: 'member',
    summary: 'One inventory; its content is empty for guests',
    params,
    reply: inventory,
    versioned: true,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/project/:project_id/inventory/:inventory_id',
    permission: 'manage_resources',
    summary: 'Change an inventory',
    params,
    body: newInventory,
    versioned: true,
  }),
  refs: refsEndpoint('/api/project/:project_id/inventory/:inventory_id', params, 'an inventory'),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/project/:project_id/inventory/:inventory_id',
    permission: 'manage_resources',
    summary: 'Delete an inventory that nothing uses',
    params,
  }),
};
