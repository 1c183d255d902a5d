// What `npm run dev` runs: the program, with a syntax error as one line for a person.

/** Ends the process with the place and the reason of a syntax error, as esbuild says them. */
function showSyntaxError(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'TransformError') return;
  const [, ...places] = error.message.replaceAll(`${process.cwd()}/`, '').split('\n');
  process.stderr.write(`study-gateway cannot start.\n${places.join('\n')}\n`);
  process.exit(1);
}

process.on('uncaughtExceptionMonitor', showSyntaxError);
process.on('unhandledRejection', (error) => {
  showSyntaxError(error);
  // As without a listener.
  throw error;
});
await import('./src/main.js');
