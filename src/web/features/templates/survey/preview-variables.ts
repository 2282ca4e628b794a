// A survey that is still being typed, as its preview can draw it.

import type { SurveyVariable } from '#shared/survey/survey-variable.ts';

/** The values of an enumeration without empty and duplicate ones, which a select refuses. */
export const distinctValues = (values: SurveyVariable['values']) =>
  (values ?? []).filter(
    ({ value }, index, all) =>
      value !== '' && all.findIndex((other) => other.value === value) === index,
  );

/** The variables with what a launch needs: a name that no other has, a title, distinct values. */
export const previewVariables = (variables: SurveyVariable[]): SurveyVariable[] =>
  variables.map((variable, index) => ({
    ...variable,
    name: `variable_${index}`,
    title: variable.title || variable.name || '…',
    values: distinctValues(variable.values).map(({ name, value }) => ({
      name: name || value,
      value,
    })),
  }));
