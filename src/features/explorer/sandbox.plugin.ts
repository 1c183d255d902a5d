import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import { createStudyExample, listStudiesExample } from '../../graphql/example.js';

export interface SandboxOptions {
  readonly sandbox: boolean;
  /** Bearer token to prefill. Default: a placeholder. */
  readonly demoToken?: string | undefined;
  /** Whether the page links to `/explorer` when Sandbox cannot load. */
  readonly explorer: boolean;
}

/**
 * Creates the plugin that serves Apollo Sandbox to browsers at `GET /graphql`, with operations that run at one click.
 * Sandbox loads from Apollo's CDN; its telemetry is off. If `sandbox` is false, the plugin disables Apollo's default
 * landing page instead.
 */
export function createSandbox({
  sandbox,
  demoToken,
  explorer,
}: SandboxOptions): ApolloServerPlugin {
  if (!sandbox) return noSandbox;
  const page = ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false },
    document: `${createStudyExample.document}\n${listStudiesExample.document}`,
    variables: { ...createStudyExample.variables, ...listStudiesExample.variables },
    headers: { authorization: `Bearer ${demoToken ?? '<API_TOKEN>'}` },
  });
  return explorer ? withExplorerLink(page) : page;
}

const noSandbox: ApolloServerPlugin = ApolloServerPluginLandingPageDisabled();

function withExplorerLink(sandbox: ApolloServerPlugin): ApolloServerPlugin {
  return {
    serverWillStart: async (service) => {
      const listener = await sandbox.serverWillStart?.(service);
      const page = await listener?.renderLandingPage?.();
      if (page === undefined) throw new Error("Apollo's plugin has no landing page");
      const { html } = page;
      return {
        renderLandingPage: async () => ({
          html: async () => addExplorerLink(typeof html === 'string' ? html : await html()),
        }),
      };
    },
  };
}

/**
 * Adds a link to the fallback message in Apollo's page. The element of Sandbox covers the message; the added style lets
 * clicks through this element while it is empty.
 */
function addExplorerLink(html: string): string {
  return html.replace(
    /<style nonce=(\w+)>[^]*<div class="fallback">[^]*?(?=<\/div>)/,
    (upToFallback, nonce: string) =>
      `${upToFallback}<p><a href="explorer">The explorer</a> needs no network.</p>
  <style nonce=${nonce}>#embeddableSandbox:empty { pointer-events: none; }</style>`,
  );
}
