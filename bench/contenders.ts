/** A program to measure: one way to put GraphQL in front of the Study API. */
export interface Contender {
  /** Identifier; also the name of the contender's file in `contenders/`, unless `args` names another program. */
  readonly id: string;
  readonly label: string;
  /** Program to start. Default: Node. */
  readonly command?: string;
  /** Arguments of the program; paths are relative to `bench/`. Default: `contenders/<id>.mjs`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Operations that the contender cannot answer. */
  readonly lacks?: readonly string[];
}

/** The base of every ratio. */
export const proxy: Contender = { id: 'proxy', label: 'bare Node proxy' };

/** study-gateway with its default settings. */
export const ours: Contender = { id: 'ours', label: 'study-gateway', args: ['../dist/main.js'] };

/** study-gateway as one file, as the image runs it. */
export const bundle: Contender = { id: 'bundle', label: 'the bundle', args: ['../bundle/main.js'] };

/** All contenders, in the order of the table. A new contender needs a program in `contenders/` and an entry here. */
export const contenders: readonly Contender[] = [
  proxy,
  ours,
  { id: 'mercurius', label: 'mercurius with jit' },
  {
    id: 'tailcall',
    label: 'Tailcall, native',
    command: 'sh',
    args: ['contenders/tailcall.sh'],
    env: { TAILCALL_LIBC: process.env['TAILCALL_LIBC'] ?? '' },
    lacks: ['page'],
  },
  { id: 'apollo-rest', label: 'Apollo Server + RESTDataSource' },
];
