// The real Terraform and OpenTofu of this machine.

import { execFileSync } from 'node:child_process';

/** The app and the path of each that is installed. */
export function installedTerraforms(): [app: string, path: string][] {
  return ['terraform', 'tofu'].flatMap((app): [string, string][] => {
    try {
      return [[app, execFileSync('which', [app], { encoding: 'utf8' }).trim()]];
    } catch {
      return [];
    }
  });
}
