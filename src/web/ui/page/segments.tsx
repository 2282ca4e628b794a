import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import classes from './segments.module.css';

export function Segments<Value extends string>(props: SegmentedControlProps<Value>) {
  return (
    <SegmentedControl<Value>
      size="xs"
      {...props}
      classNames={{
        root: 'bg-sunken border',
        indicator: `bg-surface border-strong ${classes.indicator}`,
        label: `soft ${classes.label}`,
      }}
    />
  );
}
