import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import { createStudyExample, listStudiesExample } from '../../graphql/example.js';

export interface SandboxOptions {
  readonly sandbox: boolean;
  /** Prefilled as the bearer; `undefined` leaves a placeholder. */
  readonly demoToken?: string | undefined;
  /** Makes the page link to `/explorer` where Sandbox cannot load. */
  readonly explorer: boolean;
}

/**
 * Apollo Sandbox at `GET /graphql` for browsers, with operations that run at one click. It loads from
 * Apollo's CDN; its telemetry is off.
 *
 * Where it is off, Apollo shows no page of its own either.
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

/** Apollo's page says below Sandbox, which covers it, that it cannot be loaded. */
function addExplorerLink(html: string): string {
  return html.replace(
    /<style nonce=(\w+)>[^]*<div class="fallback">[^]*?(?=<\/div>)/,
    (upToFallback, nonce: string) =>
      `${upToFallback}<p><a href="explorer">The explorer</a> needs no network.</p>
  <style nonce=${nonce}>#embeddableSandbox:empty { pointer-events: none; }</style>`,
  );
}
