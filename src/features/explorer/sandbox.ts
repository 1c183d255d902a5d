import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import type { Contract } from 'study-gateway-contract';
import { createStudyExample, fitExample, listStudiesExample } from '../../graphql/example.js';

/**
 * Creates the plugin that serves Apollo Sandbox to browsers at `GET /graphql`, with operations that run at one click.
 * Sandbox loads from Apollo's CDN; its telemetry is off. If `sandbox` is false, the plugin disables Apollo's default
 * landing page instead.
 *
 * @param demoToken bearer token to prefill
 */
export function createSandbox(
  sandbox: boolean,
  contract: Contract,
  demoToken = '<API_TOKEN>',
): ApolloServerPlugin {
  if (!sandbox) return ApolloServerPluginLandingPageDisabled();
  const create = fitExample(createStudyExample, contract);
  return ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false },
    document: `${create.document}\n\n${listStudiesExample.document}`,
    variables: create.variables,
    headers: { authorization: `Bearer ${demoToken}` },
  });
}
