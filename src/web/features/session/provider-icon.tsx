import {
  IconBrandApple,
  IconBrandAuth0,
  IconBrandAws,
  IconBrandAzure,
  IconBrandBitbucket,
  IconBrandGithub,
  IconBrandGitlab,
  IconBrandGoogle,
  IconBrandOauth,
  IconBrandRedhat,
  IconBrandSlack,
  IconBrandUbuntu,
  IconBrandWindows,
  IconBuilding,
  IconKey,
  IconLock,
  IconLogin2,
  IconShieldLock,
  IconUsers,
} from '@tabler/icons-react';

// The names in docs/guide/company-sign-in.md.
const icons: Record<string, typeof IconKey> = {
  apple: IconBrandApple,
  auth0: IconBrandAuth0,
  aws: IconBrandAws,
  azure: IconBrandAzure,
  bitbucket: IconBrandBitbucket,
  building: IconBuilding,
  github: IconBrandGithub,
  gitlab: IconBrandGitlab,
  google: IconBrandGoogle,
  key: IconKey,
  lock: IconLock,
  microsoft: IconBrandWindows,
  oauth: IconBrandOauth,
  redhat: IconBrandRedhat,
  shield: IconShieldLock,
  slack: IconBrandSlack,
  ubuntu: IconBrandUbuntu,
  users: IconUsers,
};

/** Also accepts the names of older API clients: `mdi-github`. */
export function ProviderIcon({ name, color }: { name: string; color: string }) {
  const key = name.toLowerCase().replace(/^mdi[-:]/, '');
  const Icon = Object.hasOwn(icons, key) ? icons[key] : undefined;
  const Shown = Icon ?? IconLogin2;
  return <Shown size={18} color={color} aria-hidden="true" data-icon={Icon ? key : 'other'} />;
}
