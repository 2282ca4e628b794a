// Renders a component of the console in a DOM, with replies that are checked by the contract.

import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render, type RenderResult, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel, type UserEvent } from '@testing-library/user-event';
import i18next, { init } from 'i18next';
import type { ReactElement } from 'react';
import { vi } from 'vitest';
import type { z } from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';
import type { ErrorBody } from '#shared/errors.ts';
import words from 'virtual:all-words/en';

/** A request that the component has sent. */
interface SentRequest {
  method: string;
  path: string;
  /** As the schema of the endpoint reads it. */
  body?: unknown;
  /** The revision in the header `If-Match`, if the request has one. */
  ifMatch?: string;
}

interface StubbedReply {
  endpoint: Endpoint;
  reply: unknown;
  refusal?: Refusal;
}

interface Refusal extends Partial<ErrorBody> {
  status: number;
}

/** What an endpoint returns in a test; its own schema has to accept it. */
export const replyOf = <E extends Endpoint>(
  endpoint: E,
  reply: z.input<E['reply']>,
): StubbedReply => ({ endpoint, reply });

/** How an endpoint refuses a request. */
export const refusalOf = (endpoint: Endpoint, refusal: Refusal): StubbedReply => ({
  endpoint,
  reply: undefined,
  refusal,
});

/** The header `ETag` of every reply of an endpoint whose resource has a revision. */
export const revision = '"3"';

/** The path of an endpoint as an expression: parameters match anything but a slash. */
const patternOf = ({ path }: Endpoint): RegExp =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}(?:\\?.*)?$`);

const headersOf = ({ versioned }: Endpoint): Record<string, string> => ({
  'content-type': 'application/json',
  ...(versioned && { etag: revision }),
});

function responseOf({ endpoint, reply, refusal }: StubbedReply): Response {
  if (refusal) {
    const { status, ...body } = refusal;
    return Response.json(body, { status });
  }
  if (reply === undefined) return new Response(null, { status: 204 });
  const text = JSON.stringify(endpoint.reply.parse(reply));
  return new Response(text, { status: endpoint.status, headers: headersOf(endpoint) });
}

function requestOf(
  endpoint: Endpoint,
  path: string,
  { body, headers = {} }: RequestInit,
): SentRequest {
  const given: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  const ifMatch = new Headers(headers).get('if-match');
  return {
    method: endpoint.method,
    path,
    ...(given !== undefined && { body: endpoint.body.parse(given) }),
    ...(ifMatch !== null && { ifMatch }),
  };
}

function stubFetch(replies: StubbedReply[], sent: SentRequest[], reads: string[]): void {
  vi.stubGlobal('fetch', async (path: string, request: RequestInit = {}) => {
    const { method = 'GET' } = request;
    const known = replies.findLast(
      ({ endpoint }) => endpoint.method === method && patternOf(endpoint).test(path),
    );
    if (!known) throw new Error(`The test gives no reply to ${method} ${path}`);
    if (method === 'GET') reads.push(path);
    else sent.push(requestOf(known.endpoint, path, request));
    return responseOf(known);
  });
}

/** Renders the component at an address; the words are English. `answer` changes how an endpoint replies. */
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
  /** The paths of the reads, with their queries. */
  const reads: string[] = [];
  const known = [...replies];
  stubFetch(known, sent, reads);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createRouter({
    routeTree: createRootRoute({ component: () => element }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await router.load();
  const user = userEvent.setup({
    delay: null,
    pointerEventsCheck: PointerEventsCheckLevel.Never,
  });
  const view = render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const answer = (...further: StubbedReply[]) => known.push(...further);
  return { ...view, ...formOf(view, user), user, sent, reads, router, answer };
}

const form = 'input, textarea';

/** The actions of a person in a form, and what it shows. */
function formOf(view: RenderResult, user: UserEvent) {
  /** The input with this label, which may be marked as required. */
  const field = async (label: string) =>
    (await view.findByLabelText(labelOf(label), { selector: form })) as HTMLInputElement;
  /** Opens the list of options of an input. */
  const open = async (label: string) => {
    const input = await field(label);
    await user.click(input);
    return view.findByRole('listbox', { name: labelOf(label), hidden: false });
  };
  return {
    field,
    /** The options that an input offers; closes the list again. */
    options: async (label: string) => {
      const list = await open(label);
      const texts = within(list)
        .queryAllByRole('option')
        .map(({ textContent }) => textContent);
      await user.keyboard('{Escape}');
      return texts;
    },
    /** The labels that are shown, in their order; those of required inputs end with a star. */
    labels: () => [...document.querySelectorAll('label')].map(({ textContent }) => textContent),
    press: async (name: string) => user.click(await view.findByRole('button', { name })),
    fill: async (label: string, text: string) => {
      const input = await field(label);
      await user.clear(input);
      await user.click(input);
      await user.paste(text);
    },
    choose: async (label: string, option: string) => {
      await user.click(await within(await open(label)).findByRole('option', { name: option }));
    },
    tick: async (label: string) => user.click(await field(label)),
  };
}

const labelOf = (text: string): RegExp => new RegExp(`^${RegExp.escape(text)}(?: \\*)?$`);
