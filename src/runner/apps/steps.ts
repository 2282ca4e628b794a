import { kindOf, type AppKind } from '#shared/apps.ts';
import { ansibleSteps } from './ansible-steps.ts';
import { numbered, type NumberedStep, type Step } from './app.ts';
import { pythonSteps } from './python.ts';
import { scriptSteps } from './script.ts';
import { terraformSteps } from './terraform.ts';

const steps: Record<AppKind, Step[]> = {
  ansible: ansibleSteps,
  terraform: terraformSteps,
  python: pythonSteps,
  script: scriptSteps,
};

export const stepsOf = (app: string): NumberedStep[] => numbered(steps[kindOf(app)]);
