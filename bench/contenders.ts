import { readFileSync } from 'node:fs';
import type { Contender } from './lib/contender.ts';
import { fields } from './lib/study.ts';

/** study-gateway with its default settings. */
export const ours: Contender = {
  id: 'ours',
  label: 'study-gateway',
  args: ['../dist/main.js'],
};

/** study-gateway as one file, as the image runs it. */
export const bundle: Contender = { id: 'bundle', label: 'the bundle', args: ['../bundle/main.js'] };

/** Baseline of the main table: a bare Node hop that parses and writes JSON by undici's `dispatch`, and checks nothing. */
export const rawJson: Contender = {
  id: 'raw-json',
  label: 'bare Node proxy, parses and writes JSON',
};

/** Baseline of the paths: the same hop by undici's `request`, as most programs make a call. */
export const rawRequest: Contender = {
  id: 'raw-request',
  label: 'bare Node proxy by undici.request',
};

/** Tailcall, a native program: the only contender that runs no JavaScript. */
export const tailcall: Contender = {
  id: 'tailcall',
  label: 'Tailcall, native',
  command: 'sh',
  args: ['contenders/tailcall.sh'],
  env: { TAILCALL_LIBC: process.env['TAILCALL_LIBC'] ?? '' },
};

/** All contenders, in the order of the table. A new contender needs a program in `contenders/` and an entry here. */
export const contenders: readonly Contender[] = [
  { id: 'raw-bytes', label: 'bare Node proxy, forwards bytes', knowsJson: false },
  rawJson,
  rawRequest,
  ours,
  {
    ...ours,
    id: 'ours-subgraph',
    label: 'study-gateway as a federation subgraph',
    env: { FEDERATION: 'true' },
    isMissing: knowsVariable('FEDERATION') ? undefined : 'the gateway has no FEDERATION yet',
  },
  tailcall,
  { id: 'mercurius', label: 'mercurius with jit' },
  { id: 'yoga', label: 'graphql-yoga' },
  { id: 'apollo-rest', label: 'Apollo Server + RESTDataSource' },
  {
    id: 'openapi-to-graphql',
    label: 'openapi-to-graphql + Apollo Server',
    path: '/',
    document: `mutation CreateStudy($input: CreateStudyInput!) {
      createStudy(createStudyInput: $input) { ${fields} }
    }`,
  },
  {
    id: 'hive',
    label: 'GraphQL Mesh + Hive Gateway',
    prepare: [
      'node_modules/@graphql-mesh/compose-cli/esm/bin.js',
      '--config-path',
      'contenders/mesh.compose.ts',
      '--output',
      'node_modules/.cache/supergraph.graphql',
    ],
    args: [
      'node_modules/@graphql-hive/gateway/dist/bin.js',
      'supergraph',
      'node_modules/.cache/supergraph.graphql',
      '--config-path',
      'contenders/hive.gateway.ts',
      '--host',
      '127.0.0.1',
    ],
    document: `mutation CreateStudy($input: CreateStudy_Input) {
      createStudy(input: $input) { ... on Study { ${fields} } }
    }`,
  },
];

/** Returns whether the built gateway reads this environment variable. @throws Error if dist/ is missing */
export function knowsVariable(name: string): boolean {
  try {
    const config = readFileSync(
      new URL('../dist/config/config.variables.js', import.meta.url),
      'utf8',
    );
    return new RegExp(`\\b${name}\\b`).test(config);
  } catch {
    throw new Error('dist/ is missing: npm run build');
  }
}
