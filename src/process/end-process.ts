/** Resource names, as Node lists them, of work on libuv's threads. Such work may never finish. */
const THREAD_WORK = new Set([
  'FSReqCallback',
  'FSReqPromise',
  'GetAddrInfoReqWrap',
  'GetNameInfoReqWrap',
]);

/**
 * Ends the process now, with `process.exitCode`.
 *
 * `process.exit` waits for libuv's threads and handles no signal meanwhile, but a thread that writes to a full pipe may
 * never return. If such work is pending, `execve` therefore ends all other threads and replaces the process by a Node
 * that only exits, with the same code. If `execve` fails or is missing, SIGKILL ends the process.
 */
export function endProcess(): void {
  if (!process.getActiveResourcesInfo().some((name) => THREAD_WORK.has(name))) process.exit();
  const code = process.exitCode ?? 0;
  try {
    // Passes no environment: NODE_OPTIONS could load other code.
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {});
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
