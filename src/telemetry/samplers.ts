import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';

/** Creates a sampler that records this share of traces, from 0 to 1. */
type CreateSampler = (share: number) => Sampler;

const alwaysOn: CreateSampler = () => new AlwaysOnSampler();
const alwaysOff: CreateSampler = () => new AlwaysOffSampler();
const traceIdRatio: CreateSampler = (share) => new TraceIdRatioBasedSampler(share);

/** Follows the decision of the caller that began a trace; decides by `root` for a new trace. */
const parentBased =
  (createRoot: CreateSampler): CreateSampler =>
  (share) =>
    new ParentBasedSampler({ root: createRoot(share) });

/** Samplers by their names in OpenTelemetry's `OTEL_TRACES_SAMPLER`, without those that ask a server. */
export const samplers = {
  always_on: alwaysOn,
  always_off: alwaysOff,
  traceidratio: traceIdRatio,
  parentbased_always_on: parentBased(alwaysOn),
  parentbased_always_off: parentBased(alwaysOff),
  parentbased_traceidratio: parentBased(traceIdRatio),
};
