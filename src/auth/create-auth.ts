import type { Auth } from './auth.js';
import { forwardAuth } from './forward.auth.js';
import { createServiceAuth, type ServiceAuthOptions } from './service.auth.js';

export interface AuthOptions extends ServiceAuthOptions {
  /** `forward` passes the caller's token on; `service` has one of its own. */
  readonly authMode: 'forward' | 'service';
}

/** Rejects when the service's token cannot be read. */
export async function createAuth(options: AuthOptions): Promise<Auth> {
  return options.authMode === 'service' ? createServiceAuth(options) : forwardAuth;
}
