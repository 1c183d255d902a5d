// The bare proxy by undici's `dispatch`: no streams and no promises.
import { pool, serve } from './raw-hop.mjs';

serve((call, done) => {
  const chunks = [];
  pool.dispatch(call, {
    onRequestStart() {},
    onResponseStart() {},
    onResponseData: (_, chunk) => chunks.push(chunk),
    onResponseEnd: () => done(JSON.parse(Buffer.concat(chunks).toString())),
    onResponseError: (_, error) => done({ error: error.message }),
  });
});
