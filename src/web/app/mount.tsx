import '../styles/mantine.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../lib/query.ts';
import { cssVariables, storedColorScheme, styleNonce, theme } from '../lib/theme.ts';
import { startLanguage } from '../lib/i18n.ts';
import { router } from './router.ts';

const colorScheme = storedColorScheme();

function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
      // All variables are written at run time, because a style sheet would mostly contain unused
      // colours.
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </MantineProvider>
  );
}

/** All screens. The router hears steps in the history itself once they are drawn. */
function Screens({ onDrawn }: { onDrawn: () => void }) {
  useLayoutEffect(onDrawn, [onDrawn]);
  return <RouterProvider router={router} />;
}

export async function mount(): Promise<void> {
  // The library that locks scrolling behind dialogs reads the nonce here.
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
  // The screen and what it shows are loaded beside the words. A failure is told on the screen.
  void router.load();
  // A function of its own: to stop hearing `router.load` would stop the router too.
  const stopHearing = router.history.subscribe(() => void router.load());
  await startLanguage();
  const element = document.getElementById('root');
  if (!element) throw new Error('The page has no #root');
  createRoot(element).render(
    <StrictMode>
      <Providers>
        <Screens onDrawn={stopHearing} />
      </Providers>
    </StrictMode>,
  );
}
