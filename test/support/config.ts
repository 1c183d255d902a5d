import { ConfigError, readConfig } from '../../src/config/config.js';

/** Reads the configuration, and returns the lines of the ConfigError's message; an empty list if it is valid. */
export function problems(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}
