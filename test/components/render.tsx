// Renders a component of the console in a DOM, with replies that are checked by the contract.

import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { init, default as i18next } from 'i18next';
import type { ReactElement } from 'react';
import { vi } from 'vitest';
import type { z } from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';
import words from 'virtual:all-words/en';

/** A request that the component has sent. */
interface SentRequest {
  method: string;
  path: string;
  /** As the schema of the endpoint reads it. */
  body: unknown;
}

export interface StubbedReply {
  endpoint: Endpoint;
  reply: unknown;
}

/** What an endpoint returns in a test; its own schema has to accept it. */
export const replyOf = <E extends Endpoint>(
  endpoint: E,
  reply: z.input<E['reply']>,
): StubbedReply => ({ endpoint, reply });

/** The path of an endpoint as an expression: parameters match anything but a slash. */
const patternOf = ({ path }: Endpoint): RegExp =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}(?:\\?.*)?$`);

function stubFetch(replies: StubbedReply[], sent: SentRequest[]): void {
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    const known = replies.find(
      ({ endpoint }) => endpoint.method === method && patternOf(endpoint).test(path),
    );
    if (!known) throw new Error(`The test gives no reply to ${method} ${path}`);
    const { endpoint, reply } = known;
    if (method !== 'GET') {
      const given: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
      sent.push({ method, path, body: endpoint.body.parse(given) });
    }
    const status = reply === undefined ? 204 : endpoint.status;
    const text = reply === undefined ? null : JSON.stringify(endpoint.reply.parse(reply));
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  });
}

/** Renders the component at an address; the words are English. */
export async function renderAt(
  element: ReactElement,
  { replies = [], address = '/' }: { replies?: StubbedReply[]; address?: string } = {},
) {
  if (!i18next.isInitialized) {
    await init({
      lng: 'en',
      resources: { en: { translation: words } },
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  }
  const sent: SentRequest[] = [];
  stubFetch(replies, sent);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createRouter({
    routeTree: createRootRoute({ component: () => element }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await router.load();
  const user = userEvent.setup();
  const view = render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { ...view, user, sent, router };
}
