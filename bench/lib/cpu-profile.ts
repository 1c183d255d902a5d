/** The parts of a `--cpu-prof` file that `readProfile` uses. Times are in µs. */
interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A function on one call path. A function that is called on several paths has several frames. */
export interface Frame {
  readonly name: string;
  /** Owner of the function: `gateway`, `node`, or a package. */
  readonly owner: string;
  /** Time in the function's own code, in µs. */
  selfUs: number;
  /** Time in the function and in all functions that it called, in µs. */
  totalUs: number;
  readonly callees: Map<string, Frame>;
}

const IDLE = '(idle)';

/** Builds a call tree of the samples between `fromUs` and `toUs`, times of `process.hrtime`. Omits idle time. */
export function readProfile(text: string, fromUs: number, toUs: number): Frame {
  const { nodes, samples, timeDeltas, startTime }: CpuProfile = JSON.parse(text);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const root: Frame = createFrame('all', 'node');
  let time = startTime;
  for (const [index, sample] of samples.entries()) {
    const us = timeDeltas[index]!;
    time += us;
    if (time < fromUs || time > toUs) continue;
    const path = [];
    for (let id: number | undefined = sample; id !== undefined; id = callers.get(id))
      path.unshift(byId.get(id)!.callFrame);
    if (path.at(-1)!.functionName === IDLE) continue;
    let frame = root;
    frame.totalUs += us;
    // Skips V8's own root, which starts every path.
    for (const { functionName, url, lineNumber } of path.slice(1)) {
      const key = `${functionName} ${url}:${lineNumber}`;
      const callee = frame.callees.get(key) ?? createFrame(functionName, toOwner(url));
      frame.callees.set(key, callee);
      callee.totalUs += us;
      frame = callee;
    }
    frame.selfUs += us;
  }
  return root;
}

/** Sums `selfUs` of all frames by owner; V8's garbage collector and native code count as owners of their own. */
export function sumByOwner(frame: Frame, sums = new Map<string, number>()): Map<string, number> {
  const isEngine = /^\((garbage collector|program)\)$/.test(frame.name);
  const owner = isEngine ? frame.name.slice(1, -1) : frame.owner;
  sums.set(owner, (sums.get(owner) ?? 0) + frame.selfUs);
  for (const callee of frame.callees.values()) sumByOwner(callee, sums);
  return sums;
}

function createFrame(name: string, owner: string): Frame {
  return { name: name || '(anonymous)', owner, selfUs: 0, totalUs: 0, callees: new Map() };
}

function toOwner(url: string): string {
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (installed !== undefined) return installed;
  return url.includes('/dist/') ? 'gateway' : 'node';
}
