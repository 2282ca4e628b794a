import { defineConfig } from 'vite';
import react from '@vitejs/plugin-react';

export default defineConfig({
  root: 'src/web',
  plugins: [react()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows no data: fonts or scripts.
    assetsInlineLimit: 0,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: {
      // The server compares Origin with Host, so the browser's Host must reach it.
      '/api': { target: 'http://127.0.0.1:3000', ws: true, changeOrigin: false },
    },
  },
});
