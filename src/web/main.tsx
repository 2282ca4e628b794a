import './lib/jitless.ts';
import { mount } from './app/mount.tsx';

await mount();
