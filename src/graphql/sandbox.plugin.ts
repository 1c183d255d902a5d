import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import { createStudyExample } from './example.js';

/**
 * Apollo Sandbox at `GET /graphql` for browsers, with an operation that runs at one click. It loads from
 * Apollo's CDN; its telemetry is off.
 *
 * @param token prefilled as the bearer; `undefined` leaves a placeholder
 */
export function createSandbox(token: string | undefined): ApolloServerPlugin {
  return ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false },
    document: createStudyExample.document,
    variables: createStudyExample.variables,
    headers: { authorization: `Bearer ${token ?? '<API_TOKEN>'}` },
  });
}

export const noSandbox: ApolloServerPlugin = ApolloServerPluginLandingPageDisabled();
