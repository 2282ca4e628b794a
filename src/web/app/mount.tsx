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

function Screens({ onDrawn }: { onDrawn: () => void }) {
  useLayoutEffect(onDrawn, [onDrawn]);
  return <RouterProvider router={router} />;
}

export async function mount(): Promise<void> {
  // react-remove-scroll reads the nonce here.
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
  // Loads the screen and its data in parallel with the words. The screen shows a failure.
  void router.load();
  // Passed as a function of its own, because unsubscribing `router.load` would also unsubscribe the
  // router.
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
