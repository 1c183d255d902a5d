import { once } from 'node:events';
import { startNode } from './children.ts';
import type { Gateway } from './gateway.ts';
import { readCpuUs } from './proc.ts';
import { request } from './request.ts';
import { token } from './study.ts';

/** Stands in a body for 36 characters that differ in each request. */
export const UNIQUE = '00000000-0000-0000-0000-unique000000';

/** A message to the load's process. */
export interface LoadOrder {
  readonly url: string;
  /** Bearer token; `null` for requests without one. */
  readonly token: string | null;
  /** Bodies, sent in turn. */
  readonly bodies: readonly string[];
  /** Status of every right answer. */
  readonly status: number;
  /** The only right answer; `undefined` where answers hold ids of their requests. */
  readonly expected: string | undefined;
  readonly connections: number;
  readonly ms: number;
}

/** The answer of the load's process. */
export interface LoadReport {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
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
  /** Status of every right answer. Default: 200. */
  readonly status?: number;
  /** Whether answers differ, so that only their status is compared. Default: false. */
  readonly hasOwnAnswers?: boolean;
}

/** The result of one round of one gateway. */
export interface Round {
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Load {
  /** @throws Error when an answer is wrong */
  readonly run: (gateways: readonly Gateway[] | Gateway, options: LoadOptions) => Promise<Round>;
}

export function startLoad(): Load {
  const { child } = startNode(['programs/load.ts'], {}, true);
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  const receive = async (): Promise<LoadReport> => (await once(child, 'message', ended))[0];

  return {
    async run(target, { bodies, connections, ms, status = 200, ...options }) {
      const gateways = [target].flat();
      const { url, contender } = gateways[0]!;
      const bearer = options.token === undefined ? token : options.token;
      const { text } = await request('POST', url, bodies[0], bearer);
      const expected = options.hasOwnAnswers ? undefined : text;
      const order: LoadOrder = { url, token: bearer, bodies, status, expected, connections, ms };
      child.send(order);
      await receive();
      const readCpu = (): number =>
        gateways.reduce((sum, { program }) => sum + readCpuUs(program.pid), 0);
      const before = readCpu();
      child.send('go');
      const report = await receive();
      const cpuUs = (readCpu() - before) / report.requests;
      if (report.failures > 0)
        throw new Error(`${contender.id}: ${report.failures} failures, ${report.firstFailure}`);
      const { requests, seconds, p50Ms, p99Ms } = report;
      return { cpuUs, perSecond: requests / seconds, p50Ms, p99Ms };
    },
  };
}
