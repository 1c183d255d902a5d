import type { Logger } from 'pino';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Done = Parameters<SpanExporter['export']>[1];

/** Value of OpenTelemetry's `ExportResultCode.SUCCESS`. */
const SUCCESS = 0;
/** Minimum time between two log lines, in ms: an unavailable collector must not fill the log. */
const REPORT_MS = 60_000;
/** Maximum length of an exporter's error message in the log, in characters. */
const MAX_CAUSE_LENGTH = 200;

/** Exports spans through another exporter, and logs at most once a minute how many spans were lost. */
export class ReportingExporter implements SpanExporter {
  #lost = 0;
  #reportedAt = -Infinity;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  export(spans: ReadableSpan[], done: Done): void {
    this.exporter.export(spans, (result) => {
      const code: number = result.code;
      if (code !== SUCCESS) this.#report(spans.length, result.error);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  #report(count: number, error: Error | undefined): void {
    this.#lost += count;
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_MS) return;
    const cause = error?.message.slice(0, MAX_CAUSE_LENGTH);
    this.logger.warn(
      { spans: this.#lost, cause },
      'spans were lost: the collector did not accept them',
    );
    this.#lost = 0;
    this.#reportedAt = now;
  }
}
