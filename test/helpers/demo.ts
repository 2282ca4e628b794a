// The demo project of a file of browser tests. Other files use the same server, but not this
// project.

import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import type { Project } from '#shared/api/projects.ts';
import type { Template } from '#shared/api/templates.ts';
import type { ApiCall } from './api-client.ts';
import type { Console } from './console.ts';

export interface Demo {
  id: number;
  name: string;
  server: Console['server'];
  call: ApiCall;
  /** Opens a screen of the project as the administrator. */
  enter: (screen: string) => Promise<Page>;
  /** The path of a screen of the project. */
  path: (screen: string) => string;
  /** The path with the address of the server, for `goto`. */
  url: (screen: string) => string;
  /** The path of an endpoint of the project. */
  api: (noun: string) => string;
  /** The id of the template whose name begins with this number. */
  template: (number: number) => number;
  /** A name that nothing else on the server has, for things that belong to no project. */
  only: (name: string) => string;
}

/** Makes the project before the first test. */
export function useDemo(console: Console): Demo {
  let project: Project | undefined;
  let templates: Template[] = [];
  const demo = demoOf(
    console,
    () => {
      if (!project) throw new Error('The demo project is there only inside tests');
      return project;
    },
    () => templates,
  );
  beforeAll(async () => {
    const file = expect.getState().testPath?.replace(/^.*\/|\..*$/g, '');
    const count = (await console.call<Project[]>('GET', '/api/projects')).length;
    const name = `Demo ${count + 1} of ${file}`;
    project = await console.call('POST', '/api/projects', { name, demo: true });
    templates = await console.call('GET', demo.api('templates'));
  });
  return demo;
}

/** The same for a project that exists already, or will exist. */
export function demoOf(
  console: Console,
  project: () => Pick<Project, 'id' | 'name'>,
  templates: () => Template[],
): Demo {
  const path = (screen: string): string => `/project/${project().id}/${screen}`;
  const url = (screen: string): string => `${console.server.address}${path(screen)}`;
  return {
    get id() {
      return project().id;
    },
    get name() {
      return project().name;
    },
    get server() {
      return console.server;
    },
    call: console.call,
    async enter(screen) {
      const page = await console.enter();
      await page.goto(url(screen));
      return page;
    },
    path,
    url,
    api: (noun) => `/api${path(noun)}`,
    template(number) {
      const found = templates().find(({ name }) => name.startsWith(`${number}. `));
      if (!found) throw new Error(`The demo project has no template ${number}`);
      return found.id;
    },
    only: (name) => `${name}-${project().id}`,
  };
}
