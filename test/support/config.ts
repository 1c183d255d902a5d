import { ConfigError, readConfig } from '../../src/config/config.js';

/** The message of the ConfigError, as its lines. */
export function problems(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}
