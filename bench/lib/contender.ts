/** One way to put GraphQL in front of the Study API. */
export interface Contender {
  /** Name of the contender's file in `contenders/`. */
  readonly id: string;
  readonly label: string;
  /** The arguments of `node`, from `bench/`. Default: `contenders/<id>.mjs`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Path for operations. Default: `/graphql`. */
  readonly path?: string;
  /** The contender's mutation, with all 23 fields. Default: study-gateway's. */
  readonly document?: string;
  /** True if the contender parses JSON. Default: true. */
  readonly knowsJson?: boolean;
  /** Arguments of `node` for a program that runs once, before the contender's first start. */
  readonly prepare?: readonly string[];
  /** Why the contender cannot take part; the benchmark prints the reason and leaves the contender out. */
  readonly isMissing?: string | undefined;
}
