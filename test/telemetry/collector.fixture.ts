import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import {
  readHex,
  readMessage,
  readMessages,
  readNumber,
  readText,
  type Message,
} from './protobuf.fixture.js';
import { onTestFinished, vi } from 'vitest';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { listen } from '../support/listen.js';

export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Id of the parent span; `''` for a root span. */
  readonly parentId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: 'INTERNAL' | 'SERVER' | 'CLIENT' | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: number;
  readonly status: 'UNSET' | 'OK' | 'ERROR' | undefined;
  readonly ms: number;
  /** Attributes of the resource that sent the span. */
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly url: string;
  /** All received spans, in the order in which they ended. */
  readonly spans: readonly ExportedSpan[];
  /** Method, path and content type of each request. */
  readonly requests: readonly string[];
  /** Returns the headers of the last request. */
  readonly headers: () => IncomingHttpHeaders;
  /** Returns the bodies of all requests as text. */
  readonly bytes: () => string;
}

/** Starts an OpenTelemetry collector on a free port. It closes when the test ends. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) =>
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(),
): Promise<Collector> {
  const spans: ExportedSpan[] = [];
  const requests: string[] = [];
  let received = '';
  let last: IncomingHttpHeaders = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const body = Buffer.concat(chunks);
      last = headers;
      received += body.toString('latin1');
      requests.push(`${method} ${url} ${headers['content-type']}`);
      spans.push(...readSpans(body));
      answer(response);
    });
  });
  return {
    url: await listen(server),
    spans,
    requests,
    headers: () => last,
    bytes: () => received,
  };
}

/** Starts a gateway with OpenTelemetry's variables, which are set until the test ends. Default: all traces are recorded. */
export function startTracedGateway(
  environment: Readonly<Record<string, string>>,
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const all = { OTEL_TRACES_SAMPLER_ARG: '1' };
  for (const [name, value] of Object.entries({ ...all, ...environment })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return startTestGateway(options);
}

/** Reads the spans of an `ExportTraceServiceRequest`. The field numbers are those of opentelemetry-proto's trace.proto. */
function readSpans(body: Buffer): ExportedSpan[] {
  return readMessages(readMessage(body), 1).flatMap((resourceSpans) => {
    const [resource] = readMessages(resourceSpans, 1).map((it) => readAttributes(it, 1));
    return readMessages(resourceSpans, 2)
      .flatMap((scopeSpans) => readMessages(scopeSpans, 2))
      .map((span) => readSpan(span, resource ?? {}));
  });
}

function readSpan(span: Message, resource: ExportedSpan['resource']): ExportedSpan {
  const [status = new Map()] = readMessages(span, 15);
  return {
    traceId: readHex(span, 1),
    spanId: readHex(span, 2),
    traceState: readText(span, 3),
    parentId: readHex(span, 4),
    name: readText(span, 5),
    kind: ([undefined, 'INTERNAL', 'SERVER', 'CLIENT'] as const)[readNumber(span, 6)],
    ms: (readNumber(span, 8) - readNumber(span, 7)) / 1e6,
    attributes: readAttributes(span, 9),
    events: readMessages(span, 11).length,
    status: (['UNSET', 'OK', 'ERROR'] as const)[readNumber(status, 3)],
    resource,
  };
}

function readAttributes(message: Message, field: number): Record<string, unknown> {
  return Object.fromEntries(
    readMessages(message, field).map((attribute) => {
      const [value = new Map()] = readMessages(attribute, 2);
      return [readText(attribute, 1), value.has(3) ? readNumber(value, 3) : readText(value, 1)];
    }),
  );
}
