import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  resolve: {
    // A linked `study-gateway-client` has its own copies. With two copies, the hooks would not find the ApolloProvider.
    dedupe: ['@apollo/client', 'react'],
  },
});
