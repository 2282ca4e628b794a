import classes from './row-checkbox.module.css';

interface Props {
  label: string;
  checked: boolean;
  /** Whether some of the rows that it stands for are selected. */
  indeterminate?: boolean;
  /** `withShift`: whether Shift was held during the click. */
  onChange: (withShift: boolean) => void;
}

/** A single element, because lists have one in each row. */
export function RowCheckbox({ label, checked, indeterminate = false, onChange }: Props) {
  return (
    <input
      type="checkbox"
      ref={(input) => {
        if (input) input.indeterminate = indeterminate;
      }}
      className={`block flex-none ${classes.box}`}
      aria-label={label}
      checked={checked}
      onChange={({ nativeEvent }) => onChange((nativeEvent as PointerEvent).shiftKey)}
    />
  );
}
