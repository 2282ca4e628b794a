import { CopyButton } from './copy-button.tsx';
import classes from './copy-box.module.css';

interface Props {
  text: string;
  /** What the text is, where nothing beside it says so. */
  label?: string;
  /** What is said once it has been copied. */
  copied: string;
}

/** A text to take elsewhere that is not shown again. */
export function CopyBox({ text, label, copied }: Props) {
  return (
    <div className={classes.line}>
      <code className={classes.text} aria-label={label}>
        {text}
      </code>
      <CopyButton text={text} copied={copied} />
    </div>
  );
}
