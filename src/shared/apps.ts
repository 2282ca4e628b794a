// Apps: the tools that run tasks. Four kinds are built in; apps that administrators add are scripts.

export const appKinds = ['ansible', 'terraform', 'python', 'script'] as const;
export type AppKind = (typeof appKinds)[number];

interface BuiltInApp {
  id: string;
  title: string;
  kind: AppKind;
  /** The program, and the arguments before all others. */
  program: string;
  args: string[];
  priority: number;
  /** The name in Material Design Icons. */
  icon: string;
  color: string;
  dark_color: string;
}

export const builtInApps: BuiltInApp[] = [
  {
    id: 'ansible',
    title: 'Ansible Playbook',
    kind: 'ansible',
    program: 'ansible-playbook',
    args: [],
    priority: 1000,
    icon: 'ansible',
    color: '#1a1918',
    dark_color: '#e6e6e6',
  },
  {
    id: 'terraform',
    title: 'Terraform',
    kind: 'terraform',
    program: 'terraform',
    args: [],
    priority: 900,
    icon: 'terraform',
    color: '#5c4ee5',
    dark_color: '#a79fff',
  },
  {
    id: 'tofu',
    title: 'OpenTofu',
    kind: 'terraform',
    program: 'tofu',
    args: [],
    priority: 800,
    icon: 'terraform',
    color: '#8a6d00',
    dark_color: '#ffda18',
  },
  {
    id: 'bash',
    title: 'Bash',
    kind: 'script',
    program: 'bash',
    args: [],
    priority: 700,
    icon: 'bash',
    color: '#2f6b2f',
    dark_color: '#7fd07f',
  },
  {
    id: 'powershell',
    title: 'PowerShell',
    kind: 'script',
    program: 'pwsh',
    args: ['-NoProfile', '-NonInteractive', '-File'],
    priority: 600,
    icon: 'powershell',
    color: '#1f5fa8',
    dark_color: '#7fb4ef',
  },
  {
    id: 'python',
    title: 'Python',
    kind: 'python',
    program: 'python3',
    args: [],
    priority: 500,
    icon: 'language-python',
    color: '#306998',
    dark_color: '#ffd43b',
  },
];

export const findBuiltIn = (id: string): BuiltInApp | undefined =>
  builtInApps.find((app) => app.id === id);

export const kindOf = (id: string): AppKind => findBuiltIn(id)?.kind ?? 'script';

/** Launch options that only some kinds of apps have. */
type KindField = 'limit' | 'tags' | 'skip_tags' | 'diff' | 'dry_run' | 'auto_approve';

const fieldsOfKind: Record<AppKind, KindField[]> = {
  ansible: ['limit', 'tags', 'skip_tags', 'diff', 'dry_run'],
  // A dry run ends after the plan.
  terraform: ['dry_run', 'auto_approve'],
  python: [],
  script: [],
};

export const kindFields: KindField[] = [...new Set(Object.values(fieldsOfKind).flat())];

export function hasField(id: string, field: KindField): boolean {
  return fieldsOfKind[kindOf(id)].includes(field);
}

/** Whether tasks of this kind show a plan to confirm before they apply it. */
export const plansFirst = (id: string): boolean => kindOf(id) === 'terraform';
