// The bare proxy by undici's `request`, as most programs make a call.
import { pool, serve } from './raw-hop.mjs';

// A call that fails ends the program: the benchmark then says so.
serve(async (call, done) => {
  const { body } = await pool.request(call);
  done(await body.json());
});
