// Approvers of restored workflows: the restoring user is the only member, as an owner.

import type { GivenIn, Item } from './deep-partial.ts';
import { note, type Note } from './older-forms.ts';

type Node = NonNullable<NonNullable<GivenIn<'workflows'>['graph']>['nodes']>[number];

/** Removes users who are no members, and lets owners decide approvals without an approver; returns notes. */
export function settleApprovers(workflows: Item<'workflows'>[], member: string): Note[] {
  return workflows.flatMap(({ path, given }) =>
    (given.graph?.nodes ?? []).flatMap((node, index) =>
      node.type === 'approval' ? settle(node, `${path}.graph.nodes.${index}`, member) : [],
    ),
  );
}

function settle(
  node: Extract<Node, { type?: 'approval' | undefined }>,
  path: string,
  member: string,
): Note[] {
  const { name = '', roles = [], users = [] } = node;
  const isMember = (login: string) => login.trim().toLowerCase() === member.toLowerCase();
  const notes = users.flatMap((login, index) =>
    isMember(login)
      ? []
      : [note(`${path}.users.${index}`, 'restored.approver_left_out', { name, login })],
  );
  node.users = users.some(isMember) ? [member] : [];
  if (node.users.length > 0 || roles.includes('owner')) return notes;
  // Members with the other roles may be added later.
  node.roles = ['owner', ...roles];
  return [...notes, note(`${path}.roles`, 'restored.owners_approve', name)];
}
