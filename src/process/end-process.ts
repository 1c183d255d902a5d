/** Node's names for work of libuv's threads that may never end. */
const THREAD_WORK = new Set([
  'FSReqCallback',
  'FSReqPromise',
  'GetAddrInfoReqWrap',
  'GetNameInfoReqWrap',
]);

/**
 * Ends the process now, with `process.exitCode`.
 *
 * `process.exit` waits for libuv's threads, and no signal is heard meanwhile. A thread that writes to a full pipe
 * may never return. In that case the process becomes a Node that only exits, with the same code: `execve` ends all other
 * threads. Where that fails, SIGKILL ends the process.
 */
export function endProcess(): void {
  if (!process.getActiveResourcesInfo().some((name) => THREAD_WORK.has(name))) process.exit();
  const code = process.exitCode ?? 0;
  try {
    // Without an environment: NODE_OPTIONS may load anything.
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {});
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
