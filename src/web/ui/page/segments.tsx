import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import classes from './segments.module.css';

/** One of a few choices, all of them in view. */
export function Segments<Value extends string>(props: SegmentedControlProps<Value>) {
  return (
    <SegmentedControl<Value>
      size="xs"
      {...props}
      classNames={{
        root: classes.root ?? '',
        indicator: classes.indicator ?? '',
        label: classes.label ?? '',
      }}
    />
  );
}
