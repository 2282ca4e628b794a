/** A railway signal. It is decoration, because the name is beside it. */
export function LogoMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect fill="var(--line-strong)" x="14.6" y="22" width="2.8" height="9" rx="1" />
      <rect fill="var(--line-strong)" x="9.5" y="28.6" width="13" height="2.4" rx="1.2" />
      <rect fill="var(--signal-housing)" x="8.5" y="1" width="15" height="23" rx="7.5" />
      <circle fill="var(--signal-caution)" cx="16" cy="8.4" r="4" />
      <circle fill="var(--signal-clear)" cx="16" cy="16.9" r="4" />
    </svg>
  );
}
