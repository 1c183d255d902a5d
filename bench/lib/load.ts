import { once } from 'node:events';
import { startNode } from './children.ts';
import type { Gateway } from './gateway.ts';
import { readCpuUs } from './proc.ts';
import { request } from './request.ts';
import { token } from './study.ts';

/** Placeholder in a body that the load generator replaces by 36 characters, unique to each request. */
export const UNIQUE = 'f0f0f0f0-f0f0-4f0f-8f0f-f0f0f0f0f0f0';

/** Message to the load generator that orders one round of requests. */
export interface LoadOrder {
  readonly url: string;
  /** Bearer token; `null` for requests without one. */
  readonly token: string | null;
  /** Request bodies, sent in rotation. */
  readonly bodies: readonly string[];
  /** Status of every correct answer. */
  readonly status: number;
  /** Body of the only correct answer; `undefined` accepts every body. */
  readonly expected: string | undefined;
  readonly connections: number;
  readonly ms: number;
}

/** Message from the load generator with the results of one round. */
export interface LoadReport {
  readonly requests: number;
  readonly p99Ms: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

export interface LoadOptions {
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly ms: number;
  /** Bearer token, or `null` for none. Default: the caller's usual one. */
  readonly token?: string | null;
  /** Status of every correct answer. Default: 200. */
  readonly status?: number;
  /** Whether to compare only the status of answers, because they hold ids of their own. Default: false. */
  readonly hasOwnAnswers?: boolean;
}

/** The measurements of one round at one gateway. */
export interface Round {
  /** CPU time of the gateway for each request, in µs. */
  readonly cpuUs: number;
  readonly p99Ms: number;
}

export interface Load {
  /** Sends load to a gateway, and measures its CPU time. @throws Error if an answer is wrong */
  readonly run: (gateway: Gateway, options: LoadOptions) => Promise<Round>;
}

/** Starts the load generator in a process of its own. */
export function startLoad(): Load {
  const { child } = startNode(['programs/load.ts'], {}, true);
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  const receive = async (): Promise<LoadReport> => (await once(child, 'message', ended))[0];

  return {
    async run({ url, contender, program }, { bodies, connections, ms, status = 200, ...options }) {
      const bearer = options.token === undefined ? token : options.token;
      const { text } = await request('POST', url, bodies[0], bearer);
      const expected = options.hasOwnAnswers ? undefined : text;
      const order: LoadOrder = { url, token: bearer, bodies, status, expected, connections, ms };
      child.send(order);
      await receive();
      const before = readCpuUs(program.pid);
      child.send('go');
      const { requests, p99Ms, failures, firstFailure } = await receive();
      const cpuUs = (readCpuUs(program.pid) - before) / requests;
      if (failures > 0) throw new Error(`${contender.id}: ${failures} failures, ${firstFailure}`);
      return { cpuUs, p99Ms };
    },
  };
}
