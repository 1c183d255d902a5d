/** One way to put GraphQL in front of the Study API. */
export interface Contender {
  /** The name of its file in `contenders/`. */
  readonly id: string;
  readonly label: string;
  /** The arguments of `node`, from `bench/`. Default: `contenders/<id>.mjs`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it takes operations. Default: `/graphql`. */
  readonly path?: string;
  /** Its mutation, with all 23 fields. Default: ours. */
  readonly document?: string;
  /** Whether it parses what it passes on. Default: true. */
  readonly knowsJson?: boolean;
  /** Runs once, before it is started for the first time; arguments of `node`. */
  readonly prepare?: readonly string[];
  /** Why it cannot take part here; it is shown, and left out. */
  readonly isMissing?: string | undefined;
}
