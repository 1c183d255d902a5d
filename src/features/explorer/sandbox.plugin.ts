import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import type { Config } from '../../config/config.js';
import { createStudyExample, listStudiesExample } from '../../graphql/example.js';

/**
 * Creates the plugin that serves Apollo Sandbox to browsers at `GET /graphql`, with operations that run at one click.
 * Sandbox loads from Apollo's CDN; its telemetry is off. If `sandbox` is false, the plugin disables Apollo's default
 * landing page instead. If the explorer is on too, the page has a link to `/explorer`, shown where Sandbox cannot load.
 *
 * @param demoToken bearer token to prefill
 */
export function createSandbox(
  { sandbox, explorer }: Pick<Config['graphql'], 'sandbox' | 'explorer'>,
  demoToken = '<API_TOKEN>',
): ApolloServerPlugin {
  if (!sandbox) return ApolloServerPluginLandingPageDisabled();
  const plugin = ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false },
    document: `${createStudyExample.document}\n${listStudiesExample.document}`,
    variables: { ...createStudyExample.variables, ...listStudiesExample.variables },
    headers: { authorization: `Bearer ${demoToken}` },
  });
  if (!explorer) return plugin;
  return {
    async serverWillStart(service) {
      const listener = await plugin.serverWillStart?.(service);
      const { html = '' } = (await listener?.renderLandingPage?.()) ?? {};
      const toHtml = async () => addLink(typeof html === 'string' ? html : await html());
      return { renderLandingPage: async () => ({ html: toHtml }) };
    },
  };
}

/** Adds a link to the explorer to Apollo's page. The empty element of Sandbox covers the link, so clicks pass through. */
function addLink(html: string): string {
  const style =
    '.fallback { font-family: system-ui } #embeddableSandbox:empty { pointer-events: none }';
  const link = '<p class="fallback"><a href="explorer">The explorer</a> needs no network.</p>';
  return html
    .replace('#embeddableSandbox {', `${style} $&`)
    .replace('<div id="embeddableSandbox">', `${link}\n$&`);
}
