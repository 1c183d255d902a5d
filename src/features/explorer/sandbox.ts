import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import type { Config } from '../../config/config.js';
import type { Contract } from 'study-gateway-contract';
import { createStudyExample, fitExample, listStudiesExample } from '../../graphql/example.js';

/**
 * Creates the plugin that serves Apollo Sandbox to browsers at `GET /graphql`, with operations that run at one click.
 * Sandbox loads from Apollo's CDN; its telemetry is off. If `sandbox` is false, the plugin disables Apollo's default
 * landing page instead. Where Sandbox cannot load, the page says so, with a link to `/explorer` if the explorer is on.
 *
 * @param demoToken bearer token to prefill
 */
export function createSandbox(
  { sandbox, explorer }: Pick<Config['graphql'], 'sandbox' | 'explorer'>,
  contract: Contract,
  demoToken = '<API_TOKEN>',
): ApolloServerPlugin {
  if (!sandbox) return ApolloServerPluginLandingPageDisabled();
  const create = fitExample(createStudyExample, contract);
  const list = fitExample(listStudiesExample, contract);
  const plugin = ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false },
    document: `${create.document}\n${list.document}`,
    variables: { ...create.variables, ...list.variables },
    headers: { authorization: `Bearer ${demoToken}` },
  });
  return {
    async serverWillStart(service) {
      const listener = await plugin.serverWillStart?.(service);
      const { html = '' } = (await listener?.renderLandingPage?.()) ?? {};
      const toHtml = async () =>
        (typeof html === 'string' ? html : await html())
          .replace('#embeddableSandbox {', `${style} $&`)
          .replace(/<div class="fallback">.*?<\/div>/s, toFallback(explorer));
      return { renderLandingPage: async () => ({ html: toHtml }) };
    },
  };
}

/** The empty element of Sandbox covers the page, so clicks pass through. */
const style = `#embeddableSandbox:empty { pointer-events: none }
  .fallback { display: grid; place-content: center; gap: 0.75rem; height: 100vh; box-sizing: border-box;
    font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark; color: light-dark(#3b4b68, #b7c2d7);
    background: light-dark(#fff, #212a3b) }
  .fallback > * { margin: 0 } .fallback a { color: light-dark(#d60590, #ff8fb8) }`;

function toFallback(explorer: boolean): string {
  const link = '<p><a href="explorer">Open the explorer</a>: it needs no network.</p>';
  return `<main class="fallback"><h1>Apollo Sandbox cannot be loaded</h1>
    <p>Its files come from Apollo, which your browser cannot reach.</p>${explorer ? link : ''}</main>`;
}
