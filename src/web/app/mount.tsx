import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/mantine.ts';
import { startLanguage } from '../lib/i18n.ts';
import { styleNonce } from '../lib/theme.ts';
import { Providers } from './providers.tsx';
import { Router } from './router.tsx';

export async function mount(): Promise<void> {
  // Where the library that locks scrolling behind dialogs looks for the nonce.
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
  await startLanguage();
  const element = document.getElementById('root');
  if (!element) throw new Error('The page has no #root');
  createRoot(element).render(
    <StrictMode>
      <Providers>
        <Router />
      </Providers>
    </StrictMode>,
  );
}
