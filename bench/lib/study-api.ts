import { startNode, type Program } from './children.ts';
import { request } from './request.ts';
import { createStudy, USUAL_BYTES } from './study.ts';

/** The benchmark's stub of the Study API, in a process of its own. */
export interface StudyApi {
  readonly url: string;
  readonly program: Program;
  /** Sets the length of answers, in bytes, and their delay, in ms. */
  readonly set: (settings: { bytes?: number; delayMs?: number }) => Promise<void>;
  /** Returns the study that every call currently gets as its answer. */
  readonly answer: () => unknown;
  /** Reads the body of the last call that the Study API received. */
  readonly readLast: () => Promise<unknown>;
}

export async function startStudyApi(port: number): Promise<StudyApi> {
  const program = startNode(['programs/study-api.ts'], { PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  let answer = createStudy(USUAL_BYTES);
  const set: StudyApi['set'] = async ({ bytes = USUAL_BYTES, delayMs = 0 }) => {
    answer = createStudy(bytes);
    await request('PUT', url, JSON.stringify({ bytes, delayMs }));
  };
  while (!(await request('GET', url).catch(() => undefined))) {
    if (program.child.exitCode !== null) throw new Error(program.complaint());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {
    url,
    program,
    set,
    answer: () => answer,
    readLast: async () => JSON.parse((await request('GET', url)).text),
  };
}
