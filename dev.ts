// Starts the program for `npm run dev`, and shows a syntax error without a stack.

/** If `error` is a syntax error found by esbuild, prints its location and reason, and exits. */
function showSyntaxError(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'TransformError') return;
  const [, ...places] = error.message.replaceAll(`${process.cwd()}/`, '').split('\n');
  process.stderr.write(`study-gateway cannot start.\n${places.join('\n')}\n`);
  process.exit(1);
}

process.on('uncaughtExceptionMonitor', showSyntaxError);
process.on('unhandledRejection', (error) => {
  showSyntaxError(error);
  // Crashes the process, which is Node's default without a listener.
  throw error;
});
await import('./src/main.js');
