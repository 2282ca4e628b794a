import type { ReactNode } from 'react';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import type { ZoneRenderer } from '../../resources/limits/limit-values.ts';

/** The choice of an object of a project, which another feature owns. */
export type ObjectRenderer = (input: {
  projectId: number;
  type: GrantedType;
  onType: (type: GrantedType) => void;
  input: GetInputPropsReturnType;
}) => ReactNode;

/** Parts of other features in the form of a rule. */
export interface GrantedParts {
  renderObject: ObjectRenderer;
  renderZone: ZoneRenderer;
}
