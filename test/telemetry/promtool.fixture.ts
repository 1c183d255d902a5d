import { spawnSync } from 'node:child_process';

/** Runs promtool with `input` as stdin, and returns its stdout. @throws Error if promtool reports a problem */
export function promtool(args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, {
    encoding: 'utf8',
    input,
  });
  if (error)
    throw new Error(
      "promtool is not installed, and the tests of the alerts need it: it is in Debian's package prometheus.",
      { cause: error },
    );
  if (status !== 0) throw new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
