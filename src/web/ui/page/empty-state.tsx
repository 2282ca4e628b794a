import type { ReactNode } from 'react';

interface Props {
  icon: ReactNode;
  title: string;
  text?: string;
  children?: ReactNode;
}

export function EmptyState({ icon, title, text, children }: Props) {
  return (
    <div
      className="row text-center"
      style={{ flexDirection: 'column', maxWidth: 460, margin: '0 auto', padding: '64px 16px' }}
    >
      <span
        className="inline-flex soft bg-sunken border"
        style={{ marginBottom: 14, padding: 12, borderRadius: 12 }}
        aria-hidden="true"
      >
        {icon}
      </span>
      <p className="text-15 weight-600">{title}</p>
      {text && (
        <p className="soft" style={{ marginTop: 6, textWrap: 'balance' }}>
          {text}
        </p>
      )}
      {children && <div style={{ marginTop: 18 }}>{children}</div>}
    </div>
  );
}
