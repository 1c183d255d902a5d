import type { Auth } from './auth.js';
import { forwardAuth } from './forward.auth.js';
import type { ServiceAuthOptions } from './service.auth.js';

export interface AuthOptions extends ServiceAuthOptions {
  /** `forward` sends the caller's token to the Study API; `service` sends the gateway's own token. */
  readonly authMode: 'forward' | 'service';
}

/**
 * Creates the authentication of the configured mode.
 *
 * @throws ConfigError when the mode is `service` and no token for the Study API can be read
 */
export async function createAuth(options: AuthOptions): Promise<Auth> {
  if (options.authMode === 'forward') return forwardAuth;
  const { createServiceAuth } = await import('./service.auth.js');
  return createServiceAuth(options);
}
