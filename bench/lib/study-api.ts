import { startNode } from './children.ts';
import { request } from './request.ts';

/** Starts the benchmark's stub of the Study API in a process of its own. Returns its base URL. */
export async function startStudyApi(port: number): Promise<string> {
  const program = startNode(['programs/study-api.ts'], { PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  while (!(await request('GET', `${url}/studies`).catch(() => undefined))) {
    if (program.child.exitCode !== null) throw new Error(program.complaint());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return url;
}
