import * as fs from 'node:fs';

/** One line of the journal: a request before it is sent, or what became of it. */
interface Entry {
  readonly run: string;
  readonly number: number;
  /** Address of the API, and text that each study of the run has in its description: in lines before a request. */
  readonly api?: string;
  readonly marker?: string;
  readonly request?: string;
  readonly status?: number | undefined;
  /** Id of a study that the request has made; `null` for one that may exist. */
  readonly made?: string | null;
}

/** A study that the probe has made, or may have made. */
export interface LeftBehind {
  readonly api: string;
  /** `null` if only the marker can find the study. */
  readonly id: string | null;
  /** Text in the study's description. */
  readonly marker: string;
}

/** A file that knows of each write, even of one after which the process was killed. */
export class Journal {
  readonly #file: number;

  /** Opens the file for the owner alone; earlier entries stay. */
  constructor(path: string) {
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = fs.constants;
    this.#file = fs.openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
    fs.fchmodSync(this.#file, 0o600);
  }

  /** Returns after the entry is on the disk. It begins a line, because a kill may have cut the last one. */
  write(entry: Entry): void {
    fs.appendFileSync(this.#file, `\n${JSON.stringify(entry)}`, { flush: true });
  }

  close(): void {
    fs.closeSync(this.#file);
  }
}

/** Returns what all runs in a journal have left behind; nothing if there is no journal. */
export function readLeftBehind(path: string): LeftBehind[] {
  const requests = new Map<string, Entry>();
  for (const line of fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n') : []) {
    // A line that a kill has cut is no entry: its request was not sent.
    if (!line.endsWith('}')) continue;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this file writes lines
    const entry = JSON.parse(line) as Entry;
    const key = `${entry.run} ${entry.number}`;
    requests.set(key, { ...requests.get(key), ...entry });
  }
  return [...requests.values()].flatMap(({ api = '', marker = '', request, made, status }) => {
    // Killed before the answer: nobody knows. An answer without `made` has made nothing.
    const id = status === undefined && made === undefined && request === 'POST' ? null : made;
    return id === undefined ? [] : [{ api, id, marker }];
  });
}
