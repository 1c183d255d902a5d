import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';

/** A sampler of the share of traces that is given. */
type CreateSampler = (share: number) => Sampler;

const alwaysOn: CreateSampler = () => new AlwaysOnSampler();
const alwaysOff: CreateSampler = () => new AlwaysOffSampler();
const traceIdRatio: CreateSampler = (share) => new TraceIdRatioBasedSampler(share);

/** Leaves it to whoever began a trace whether it is recorded. */
const parentBased =
  (createRoot: CreateSampler): CreateSampler =>
  (share) =>
    new ParentBasedSampler({ root: createRoot(share) });

/** By their names in OpenTelemetry's `OTEL_TRACES_SAMPLER`. Those that ask a server are not there. */
export const samplers = {
  always_on: alwaysOn,
  always_off: alwaysOff,
  traceidratio: traceIdRatio,
  parentbased_always_on: parentBased(alwaysOn),
  parentbased_always_off: parentBased(alwaysOff),
  parentbased_traceidratio: parentBased(traceIdRatio),
};
