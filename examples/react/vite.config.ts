import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  resolve: {
    // A package that is linked brings its own; with two of them, the hooks would not find the client.
    dedupe: ['@apollo/client', 'react'],
  },
});
