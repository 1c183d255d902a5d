import { cpus, release, type } from 'node:os';

/** Describes the machine that runs the benchmark, in one phrase. */
export function describeMachine(): string {
  const processors = cpus();
  const model = processors[0]?.model ?? 'unknown processor';
  return `${processors.length} × ${model}, ${type()} ${release()}, Node ${process.versions.node}`;
}
