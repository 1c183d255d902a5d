import type { AppPart } from '../../src/http/app.js';

/** A part of a gateway that does what it is asked to, and whose answers are lost while `isLosing`. */
export function createLosingPart() {
  const state = { isLosing: false };
  const part: AppPart = (app) => {
    app.addHook('onSend', async ({ method, raw }, reply, answer) => {
      if (!state.isLosing) return answer;
      // A browser itself repeats what was lost on a connection that it has used before.
      void reply.header('connection', 'close');
      if (method === 'POST') raw.socket.destroy();
      return answer;
    });
  };
  return { state, part };
}
