type Study = Record<string, unknown>;

interface Numbers {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly pages: number;
}

/** The form of a Study API. */
export interface Framework {
  readonly name: string;
  readonly firstPage?: 0;
  /** Whether one study can be read. Default: true. */
  readonly reads?: false;
  /** Whether a page comes without its number. */
  readonly answersNoPage?: true;
  /** Fields in answers. Default: all. */
  readonly answered?: readonly string[];
  readonly creates: readonly string[];
  readonly edits: readonly string[];
  /** Fields that a create must have. */
  readonly required: readonly string[];
  /** How the API refuses a negative number of interviews. */
  readonly reason: { readonly field: string; readonly message: string };
  /** Returns the numbers that a page of the API shows. */
  readonly numbers: (numbers: Numbers) => Partial<Numbers>;
  /** Fills in the contract file that `contract --from` wrote, as a person does. */
  readonly fill: (file: object) => void;
}

export interface Api {
  readonly origin: string;
  readonly documentUrl: string;
  readonly studies: ReadonlyMap<string, Study>;
  readonly ledger: readonly {
    readonly method: string;
    readonly id?: string;
    readonly body: Study;
    readonly stored: boolean;
  }[];
  readonly base: string;
  readonly faults: {
    ignores: readonly ('page' | 'project' | 'token' | 'description')[];
    broken: boolean;
  };
  readonly close: () => Promise<void>;
}

export const apis: readonly Framework[];
export const answered: readonly string[];
export const createFields: readonly string[];
export const projects: readonly [string, string];
export const unknownId: string;
export const token: string;
export const cutToken: string;
export function startApi(framework: Framework): Promise<Api>;
export function chooseAddress(output: string, api: Api): string;
