// The raw hop by undici's `request`, as most programs make a call.
import { pool, serve } from './raw-hop.mjs';

serve(async (call, done) => {
  const { body } = await pool.request(call);
  done(await body.json());
});
