import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import { createStudyExample, listStudiesExample } from '../../graphql/example.js';

/**
 * Creates the plugin that serves Apollo Sandbox to browsers at `GET /graphql`, with operations that run at one click.
 * Sandbox loads from Apollo's CDN; its telemetry is off. If `sandbox` is false, the plugin disables Apollo's default
 * landing page instead.
 *
 * @param demoToken bearer token to prefill; if `undefined`, a placeholder
 */
export function createSandbox(sandbox: boolean, demoToken: string | undefined): ApolloServerPlugin {
  if (!sandbox) return ApolloServerPluginLandingPageDisabled();
  return ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false },
    document: `${createStudyExample.document}\n${listStudiesExample.document}`,
    variables: { ...createStudyExample.variables, ...listStudiesExample.variables },
    headers: { authorization: `Bearer ${demoToken ?? '<API_TOKEN>'}` },
  });
}
