// The steps of each kind of app.

import { kindOf, type AppKind } from '#shared/apps.ts';
import { ansibleSteps } from './ansible-steps.ts';
import type { Step } from './app.ts';
import { pythonSteps } from './python.ts';
import { scriptSteps } from './script.ts';
import { terraformSteps } from './terraform.ts';

const steps: Record<AppKind, Step[]> = {
  ansible: ansibleSteps,
  terraform: terraformSteps,
  python: pythonSteps,
  script: scriptSteps,
};

export const stepsOf = (app: string): Step[] => steps[kindOf(app)];
