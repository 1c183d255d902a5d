import { spawnSync } from 'node:child_process';

/** What promtool writes to stdout of `input` and the files that it is given. @throws Error when it does not agree */
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
