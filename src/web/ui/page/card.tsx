import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Card({ title, note, action, children }: Props) {
  const id = useId();
  return (
    <section
      className="min-w-0 bg-surface border rounded-8"
      style={{ padding: '12px 16px 14px' }}
      aria-labelledby={id}
    >
      <header className="flex items-start gap-8" style={{ minHeight: 28, marginBottom: 4 }}>
        <div className="flex wrap baseline grow pt-4" style={{ gap: '0 8px' }}>
          <h2 className="small weight-600" id={id}>
            {title}
          </h2>
          {note && <span className="small soft">{note}</span>}
        </div>
        {action && <span className="ml-auto">{action}</span>}
      </header>
      {children}
    </section>
  );
}
