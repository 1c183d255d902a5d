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
  /** URL path of the GraphQL endpoint. Default: `/graphql`. */
  readonly path?: string;
  /** Mutation to send, which selects all 23 fields. Default: study-gateway's mutation. */
  readonly document?: string;
  /** Whether the contender parses JSON; if not, requests contain the bare input instead of GraphQL. Default: true. */
  readonly knowsJson?: boolean;
  /** Arguments of `node` for a program to run once before the contender first starts. */
  readonly prepare?: readonly string[];
  /** Reason to leave the contender out, which the benchmark prints. */
  readonly isMissing?: string | undefined;
}
