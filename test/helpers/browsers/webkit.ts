// Opens pages in WebKitGTK, the browser engine of Debian that is closest to Safari. Each page is a
// browser of its own, in an X server of its own, so that its keyboard, mouse and clipboard are too.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Page, webkit } from 'playwright-core';
import { freePort } from '../free-port.ts';
import { until } from '../until.ts';
import { useNativeInput } from './native-input.ts';
import { programOf } from './programs.ts';

export interface OpenPage {
  page: Page;
  close: () => Promise<void>;
}

interface WebKitOptions {
  viewport: { width: number; height: number };
}

// The X server has no window manager; the largest viewport of a test fits.
const SCREEN = '2000x2100x24';

export async function openWebKitPage({ viewport }: WebKitOptions): Promise<OpenPage> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-webkit-'));
  const processes: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    for (const child of processes.toReversed()) await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const display = await startXServer(processes);
    const inspector = await startBrowser(processes, { folder, display });
    const page = await connect(inspector);
    await useNativeInput(page, display);
    await page.setViewportSize(viewport);
    folders.set(page, folder);
    return { page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const folders = new WeakMap<Page, string>();

/** Returns a function that waits for the only download of a page of WebKitGTK; of others null. */
export function downloadsOf(page: Page): (() => Promise<string>) | null {
  const home = folders.get(page);
  if (home === undefined) return null;
  return () =>
    until(async () => {
      const files = await readdir(home, { recursive: true, withFileTypes: true });
      const file = files.find(
        (one) => one.isFile() && one.name.startsWith('task_') && one.name.endsWith('.txt'),
      );
      return file !== undefined && readFile(join(file.parentPath, file.name), 'utf8');
    });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Ends a program with this process, should the test not have come to its end. */
function startProgram(processes: ChildProcess[], command: string[], env: NodeJS.ProcessEnv) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  processes.push(child);
  return child;
}

/** Returns the name of the display. */
async function startXServer(processes: ChildProcess[]): Promise<string> {
  // It chooses a free number and prints it.
  const options = ['-displayfd', '1', '-screen', '0', SCREEN, '-nolisten', 'tcp'];
  const server = startProgram(processes, [programOf('Xvfb'), ...options], process.env);
  const [number] = (await once(createInterface(server.stdout), 'line')) as [string];
  return `:${number}`;
}

interface BrowserPlace {
  folder: string;
  display: string;
}

/** Returns the address of the inspector of the only page. */
async function startBrowser(
  processes: ChildProcess[],
  { folder, display }: BrowserPlace,
): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`;
  startProgram(processes, [programOf('MiniBrowser'), '--private', 'about:blank'], {
    ...process.env,
    DISPLAY: display,
    HOME: folder,
    // Without a graphics card, frames are late on a busy machine, and so is all input after a move
    // of the mouse, which waits for its frame.
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    // The bars of scrolling take room.
    GTK_OVERLAY_SCROLLING: '0',
    LC_ALL: 'en_GB.UTF-8',
    WEBKIT_INSPECTOR_HTTP_SERVER: address,
  });
  return until(async () => {
    const list = await fetch(`http://${address}/`).then(
      (response) => response.text(),
      () => '',
    );
    const path = /\/socket\/\d+\/\d+\/WebPage/.exec(list)?.[0];
    return path !== undefined && `ws://${address}${path}`;
  });
}

/** Playwright reads the list of pages in the form of ios-webkit-debug-proxy. */
async function connect(inspector: string): Promise<Page> {
  const pages = JSON.stringify([{ webSocketDebuggerUrl: inspector, url: 'about:blank' }]);
  const list = createServer((_, response) => response.end(pages)).listen(0, '127.0.0.1');
  await once(list, 'listening');
  const { port } = list.address() as AddressInfo;
  const browser = await webkit.connectOverCDP(`http://127.0.0.1:${port}`);
  list.closeAllConnections();
  list.close();
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error('MiniBrowser has opened no page');
  return page;
}
