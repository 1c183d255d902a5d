import type { Auth } from './auth.js';
import { forwardAuth } from './forward.auth.js';
import type { ServiceAuthOptions } from './service.auth.js';

export interface AuthOptions extends ServiceAuthOptions {
  /** `forward` passes the caller's token on; `service` sends the gateway's own token. */
  readonly authMode: 'forward' | 'service';
}

/** Rejects when the service's token cannot be read. */
export async function createAuth(options: AuthOptions): Promise<Auth> {
  if (options.authMode === 'forward') return forwardAuth;
  const { createServiceAuth } = await import('./service.auth.js');
  return createServiceAuth(options);
}
