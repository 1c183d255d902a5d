import type { Page } from 'playwright-core';
import type { AppPart } from '../../src/http/app.js';

/** Lets the waits of a page take a tenth of their time, from its next load on: those between two attempts, for example. */
export async function hurry(page: Page): Promise<void> {
  await page.context().addInitScript(`const wait = setTimeout;
    window.setTimeout = (action, ms, ...rest) => wait(action, ms / 10, ...rest);`);
}

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
